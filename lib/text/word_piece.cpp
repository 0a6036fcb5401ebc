// WordPiece: the longest token that a word begins with, then the longest one that its rest begins with, and so on. And
// models whose tokens are whole words.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lib/support/utf8.h"
#include "lib/text/model.h"
#include "lib/text/trie.h"

namespace tenrex::text {

namespace {

class WordPiece : public Model {
public:
    WordPiece(Trie first, Trie next, std::uint32_t unknown, std::size_t longest_word)
        : first_(std::move(first)), next_(std::move(next)), unknown_(unknown), longest_word_(longest_word) {}

    void tokenize(std::string_view piece, ModelScratch &, std::vector<PieceToken> &tokens) const override {
        const std::size_t before = tokens.size();
        if (piece.size() <= longest_word_ || count_code_points(piece) <= longest_word_) {
            std::uint32_t at = 0;
            while (at < piece.size()) {
                const Trie::Match match = (at == 0 ? first_ : next_).longest(piece.substr(at));
                if (match.length == 0) {
                    break;
                }
                const auto end = at + static_cast<std::uint32_t>(match.length);
                tokens.push_back({match.value, at, end});
                at = end;
            }
            if (at == piece.size()) {
                return;
            }
            tokens.resize(before);
        }
        tokens.push_back({unknown_, 0, static_cast<std::uint32_t>(piece.size())});
    }

private:
    Trie first_;
    Trie next_;
    std::uint32_t unknown_;
    std::size_t longest_word_;
};

class WordLevel : public Model {
public:
    WordLevel(Trie words, std::uint32_t unknown) : words_(std::move(words)), unknown_(unknown) {}

    void tokenize(std::string_view piece, ModelScratch &, std::vector<PieceToken> &tokens) const override {
        const std::uint32_t found = words_.find(piece);
        const std::uint32_t id = found == Trie::no_value ? unknown_ : found;
        if (id == Trie::no_value) {
            throw forest::Broken{
                Error(fmt::format("the model has neither the word \"{}\" nor an unknown token", piece))};
        }
        tokens.push_back({id, 0, static_cast<std::uint32_t>(piece.size())});
    }

private:
    Trie words_;
    std::uint32_t unknown_;
};

}  // namespace

std::unique_ptr<Model> make_word_piece(const Vocabulary &vocabulary, const WordPieceRules &rules) {
    const auto unknown = vocabulary.find(rules.unknown);
    if (!unknown) {
        return nullptr;
    }
    const std::vector<Vocabulary::Entry> entries = vocabulary.entries();
    std::vector<Vocabulary::Entry> within;
    for (const auto &[token, id] : entries) {
        if (token.size() > rules.prefix.size() && token.starts_with(rules.prefix)) {
            within.emplace_back(token.substr(rules.prefix.size()), id);
        }
    }
    return std::make_unique<WordPiece>(Trie(entries), Trie(std::move(within)), *unknown, rules.longest_word);
}

std::unique_ptr<Model> read_word_piece(const JsonPart &part, Vocabulary &vocabulary) {
    vocabulary.read(part.member("vocab"));
    WordPieceRules rules;
    rules.unknown = part.text("unk_token", rules.unknown);
    rules.prefix = part.text("continuing_subword_prefix", rules.prefix);
    if (const auto longest = part.find("max_input_chars_per_word")) {
        rules.longest_word = static_cast<std::size_t>(longest->integer(0, INT32_MAX));
    }
    auto model = make_word_piece(vocabulary, rules);
    if (model == nullptr) {
        part.member("vocab").fail(fmt::format("the vocabulary lacks the unknown token \"{}\"", rules.unknown));
    }
    return model;
}

std::unique_ptr<Model> read_word_level(const JsonPart &part, Vocabulary &vocabulary) {
    vocabulary.read(part.member("vocab"));
    const auto unknown = vocabulary.find(part.text("unk_token", "<unk>"));
    return std::make_unique<WordLevel>(Trie(vocabulary.entries()), unknown.value_or(Trie::no_value));
}

std::string_view kind_of_model(const JsonPart &part) {
    if (const auto type = part.find("type")) {
        return type->text();
    }
    // Older files do not say it.
    if (part.find("merges")) {
        return "BPE";
    }
    if (part.find("continuing_subword_prefix")) {
        return "WordPiece";
    }
    return part.member("vocab").is_object() ? "WordLevel" : "Unigram";
}

std::unique_ptr<Model> read_model(const JsonPart &part, bool takes_bytes, Vocabulary &vocabulary) {
    const std::string_view kind = kind_of_model(part);
    if (kind == "BPE") {
        return read_bpe(part, takes_bytes, vocabulary);
    }
    if (kind == "Unigram") {
        return read_unigram(part, vocabulary);
    }
    if (kind == "WordLevel") {
        return read_word_level(part, vocabulary);
    }
    if (kind != "WordPiece") {
        part.fail_unknown("the model", "BPE, Unigram, WordLevel, WordPiece");
    }
    return read_word_piece(part, vocabulary);
}

}  // namespace tenrex::text
