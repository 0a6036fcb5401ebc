#include "lib/text/read_parts.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "lib/text/bpe_borders.h"
#include "lib/text/utf8.h"

namespace tenrex::text {

namespace {

std::uint64_t next_number() noexcept {
    static std::atomic<std::uint64_t> latest{0};
    return ++latest;
}

// Whether a model may see the bytes of a text in place of the characters that ByteLevel writes for them.
bool can_take_bytes(const JsonPart &model) {
    return kind_of_model(model) == "BPE" && model.text("continuing_subword_prefix", "").empty() &&
           model.text("end_of_word_suffix", "").empty() && !model.flag("byte_fallback", false);
}

// The id that every file of BERT has under that name.
std::uint32_t special_id(const Vocabulary &vocabulary, std::string_view token) {
    const auto id = vocabulary.find(token);
    if (!id) {
        throw forest::Broken{Error(fmt::format("the vocabulary lacks the token \"{}\"", token),
                                   "a vocabulary of a BERT model is expected, with a token a line")};
    }
    return *id;
}

}  // namespace

Parts read_parts(std::string_view json) {
    if (!is_valid_utf8(json)) {
        throw forest::Broken{Error("the file is no UTF-8", "a file in the form of tokenizer.json is expected")};
    }
    const Document document = get(Document::from_json(json));
    const JsonPart root(document, document.root());
    Parts parts;
    parts.number = next_number();
    bool takes_bytes = false;
    const JsonPart model = root.member("model");
    if (const auto pre_tokenizer = root.find("pre_tokenizer")) {
        takes_bytes = can_take_bytes(model);
        read_pre_tokenizers(*pre_tokenizer, parts.pre_tokenizers, takes_bytes);
    }
    if (const auto normalizer = root.find("normalizer")) {
        read_normalizers(*normalizer, parts.normalizers);
    }
    parts.model = read_model(model, takes_bytes, parts.vocabulary);
    if (kind_of_model(model) == "BPE" && !takes_bytes) {
        if (auto borders = make_bpe_borders(model, parts.vocabulary)) {
            parts.pre_tokenizers.add(std::move(borders));
        }
    }
    parts.added_tokens = read_added_tokens(root.parts("added_tokens"), parts.vocabulary);
    parts.finders = make_finders(parts.added_tokens, parts.normalizers);
    if (const auto post_processor = root.find("post_processor")) {
        parts.post_processor = read_post_processor(*post_processor);
    }
    if (parts.post_processor.trims_offsets) {
        parts.white_space.reserve(parts.vocabulary.size());
        for (std::uint32_t id = 0; id < parts.vocabulary.size(); ++id) {
            parts.white_space.push_back(white_space_of(parts.vocabulary.token(id)));
        }
    }
    if (const auto truncation = root.find("truncation")) {
        parts.truncation = read_truncation(*truncation);
    }
    return parts;
}

Parts read_vocabulary_lines(std::string_view lines, const VocabularyOptions &options) {
    if (!is_valid_utf8(lines)) {
        throw forest::Broken{Error("the file is no UTF-8", "a file with a token a line is expected")};
    }
    Parts parts;
    parts.number = next_number();
    for (std::uint32_t id = 0; !lines.empty(); ++id) {
        const std::size_t end = lines.find('\n');
        std::string_view token = lines.substr(0, end);
        if (token.ends_with('\r')) {
            token.remove_suffix(1);
        }
        parts.vocabulary.add(token, id);
        lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    }
    for (const std::string_view token : {"[UNK]", "[PAD]", "[CLS]", "[SEP]", "[MASK]"}) {
        if (const auto id = parts.vocabulary.find(token)) {
            AddedToken added;
            added.content = token;
            added.id = *id;
            added.is_special = true;
            parts.added_tokens.push_back(std::move(added));
        }
    }
    // One after the other: the one that is missing first is told.
    const std::uint32_t first = special_id(parts.vocabulary, "[CLS]");
    const std::uint32_t last = special_id(parts.vocabulary, "[SEP]");
    set_bert_template(parts.post_processor, first, last, false, 1);
    special_id(parts.vocabulary, "[UNK]");
    parts.model = make_word_piece(parts.vocabulary, {});
    BertRules rules;
    rules.makes_lower_case = rules.strips_accents = options.lower_case;
    parts.normalizers.add(make_bert_normalizer(rules));
    parts.pre_tokenizers.add(make_bert_pre_tokenizer());
    parts.finders = make_finders(parts.added_tokens, parts.normalizers);
    return parts;
}

Result<std::string> read_file(const std::string &path) {
    std::error_code problem;
    const auto size = std::filesystem::file_size(path, problem);
    std::ifstream file(path, std::ios::binary);
    if (problem || !file) {
        return Error(fmt::format("{} cannot be read: {}", path,
                                 problem ? problem.message() : std::generic_category().message(errno)));
    }
    constexpr std::uintmax_t most = std::uintmax_t{1} << 30U;
    if (size > most) {
        return Error(fmt::format("{} has {} bytes, and a tokenizer at most {}", path, size, most));
    }
    std::string bytes(static_cast<std::size_t>(size), '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    if (file.gcount() != static_cast<std::streamsize>(size)) {
        return Error(fmt::format("{} cannot be read", path));
    }
    return bytes;
}

}  // namespace tenrex::text
