#include <tenrex/tokenizer.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "lib/text/content.h"
#include "lib/text/read_parts.h"
#include "lib/text/utf8.h"

namespace tenrex {

struct Tokenizer::Content {
    text::Parts parts;
};

struct TokenizerScratch::Content : text::Scratch {};

TokenizerScratch::TokenizerScratch() : content_(std::make_unique<Content>()) {}
TokenizerScratch::TokenizerScratch(TokenizerScratch &&) noexcept = default;
TokenizerScratch &TokenizerScratch::operator=(TokenizerScratch &&) noexcept = default;
TokenizerScratch::~TokenizerScratch() = default;

void Tokens::clear() noexcept {
    ids.clear();
    type_ids.clear();
    offsets.clear();
    is_truncated = false;
}

namespace {

using text::Sequence;
using text::TemplatePart;

constexpr std::size_t longest_text = std::size_t{1} << 31U;
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

Result<text::Parts> caught(const std::function<text::Parts()> &read) {
    try {
        return read();
    } catch (forest::Broken &broken) {
        return std::move(broken.error);
    }
}

void append(const Sequence &sequence, std::uint32_t type_id, Tokens &tokens) {
    tokens.ids.insert(tokens.ids.end(), sequence.ids.begin(), sequence.ids.end());
    tokens.offsets.insert(tokens.offsets.end(), sequence.offsets.begin(), sequence.offsets.end());
    tokens.type_ids.insert(tokens.type_ids.end(), sequence.ids.size(), type_id);
}

void append_special(const TemplatePart &part, Tokens &tokens) {
    tokens.ids.insert(tokens.ids.end(), part.ids.begin(), part.ids.end());
    tokens.offsets.insert(tokens.offsets.end(), part.ids.size(), {});
    tokens.type_ids.insert(tokens.type_ids.end(), part.ids.size(), part.type_id);
}

}  // namespace

Result<Tokenizer> Tokenizer::read(std::string_view json) {
    auto parts = caught([&] { return text::read_parts(json); });
    if (!parts) {
        return std::move(parts).error();
    }
    return Tokenizer(std::make_shared<const Content>(Content{*std::move(parts)}));
}

Result<Tokenizer> Tokenizer::read_vocabulary(std::string_view lines, const VocabularyOptions &options) {
    auto parts = caught([&] { return text::read_vocabulary_lines(lines, options); });
    if (!parts) {
        return std::move(parts).error();
    }
    return Tokenizer(std::make_shared<const Content>(Content{*std::move(parts)}));
}

Result<Tokenizer> Tokenizer::load(const std::string &path, const VocabularyOptions &options) {
    const auto bytes = text::read_file(path);
    if (!bytes) {
        return bytes.error();
    }
    auto tokenizer = path.ends_with(".txt") ? read_vocabulary(*bytes, options) : read(*bytes);
    if (!tokenizer) {
        Error error = std::move(tokenizer).error();
        error.set_source_name(path);
        return error;
    }
    return tokenizer;
}

Result<Tokens> Tokenizer::tokenize(std::string_view text, const TokenizeOptions &options) const {
    TokenizerScratch scratch;
    Tokens tokens;
    if (const Status status = tokenize(text, std::nullopt, options, scratch, tokens); !status) {
        return status.error();
    }
    return tokens;
}

Result<Tokens> Tokenizer::tokenize_pair(std::string_view text, std::string_view pair,
                                        const TokenizeOptions &options) const {
    TokenizerScratch scratch;
    Tokens tokens;
    if (const Status status = tokenize(text, pair, options, scratch, tokens); !status) {
        return status.error();
    }
    return tokens;
}

Status Tokenizer::tokenize(std::string_view text, std::optional<std::string_view> pair, const TokenizeOptions &options,
                           TokenizerScratch &scratch, Tokens &tokens) const {
    const text::Parts &parts = content_->parts;
    TokenizerScratch::Content &memory = *scratch.content_;
    tokens.clear();
    if (text.size() >= longest_text || (pair && pair->size() >= longest_text)) {
        return Error(fmt::format("the text is longer than {} bytes", longest_text - 1), "cut it into several");
    }
    std::optional<text::Truncation> truncation = parts.truncation;
    if (options.max_length) {
        truncation = truncation.value_or(text::Truncation{});
        truncation->max_length = *options.max_length;
    }
    const std::size_t added = options.adds_special_tokens ? parts.post_processor.added(pair.has_value()) : 0;
    // One text that is cut at its end is not read beyond it.
    const bool stops = truncation && !pair && !truncation->cuts_left && truncation->max_length >= added &&
                       truncation->strategy != text::TruncationStrategy::only_second;
    const std::size_t most = stops ? truncation->max_length - added : no_limit;

    try {
        text::tokenize_text(parts, text, options.is_plain_text, most, memory, memory.text);
        if (pair) {
            text::tokenize_text(parts, *pair, options.is_plain_text, no_limit, memory, memory.pair);
        }
    } catch (forest::Broken &broken) {
        return std::move(broken.error);
    }
    if (truncation) {
        const std::size_t pair_size = memory.pair.ids.size();
        const auto kept = text::kept_tokens(*truncation, added, memory.text.ids.size(),
                                            pair ? std::optional(pair_size) : std::nullopt);
        if (!kept) {
            return kept.error();
        }
        tokens.is_truncated = kept->text < memory.text.ids.size() || (pair && kept->pair < pair_size);
        text::cut(memory.text, kept->text, truncation->cuts_left);
        if (pair) {
            text::cut(memory.pair, kept->pair, truncation->cuts_left);
        }
    }
    text::finish_offsets(parts, options.offsets, memory.text);
    if (pair) {
        text::finish_offsets(parts, options.offsets, memory.pair);
    }
    for (const TemplatePart &part : parts.post_processor.parts(pair.has_value())) {
        if (part.kind == TemplatePart::Kind::special) {
            if (options.adds_special_tokens) {
                append_special(part, tokens);
            }
        } else {
            append(part.kind == TemplatePart::Kind::text ? memory.text : memory.pair, part.type_id, tokens);
        }
    }
    return {};
}

std::size_t Tokenizer::vocabulary_size() const noexcept {
    return content_->parts.vocabulary.size();
}

std::string_view Tokenizer::token(std::uint32_t id) const noexcept {
    return content_->parts.vocabulary.token(id);
}

std::optional<std::uint32_t> Tokenizer::id_of(std::string_view token) const {
    return content_->parts.vocabulary.find(token);
}

}  // namespace tenrex
