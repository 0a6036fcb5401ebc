// Byte-pair encoding: a piece is cut into characters or bytes, of which merges make tokens.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "lib/text/bpe_borders.h"
#include "lib/text/bpe_merges.h"
#include "lib/text/bpe_merging.h"
#include "lib/text/byte_level.h"
#include "lib/text/code_points.h"
#include "lib/text/model.h"
#include "lib/text/trie.h"

namespace tenrex::text {

namespace {

struct BpeRules {
    std::string prefix;  // of characters that do not begin a piece
    std::string suffix;  // of the last character of a piece
    std::uint32_t unknown = Trie::no_value;
    bool fuses_unknown = false;
    bool falls_back_to_bytes = false;
    bool ignores_merges = false;  // of pieces that are tokens
    bool takes_bytes = false;
    std::array<std::uint32_t, 256> bytes{};  // tokens of single bytes
    Trie tokens;
    BpeMerges merges;
};

class Bpe : public Model {
public:
    explicit Bpe(BpeRules rules) : rules_(std::move(rules)) {}

    void tokenize(std::string_view piece, ModelScratch &scratch, std::vector<PieceToken> &tokens) const override {
        if (rules_.ignores_merges) {
            const std::uint32_t whole = rules_.tokens.find(piece);
            if (whole != Trie::no_value) {
                tokens.push_back({whole, 0, static_cast<std::uint32_t>(piece.size())});
                return;
            }
        }
        scratch.symbols.clear();
        if (rules_.takes_bytes) {
            cut_into_bytes(piece, scratch.symbols);
        } else {
            cut_into_characters(piece, scratch.symbols);
        }
        merge_symbols(rules_.merges, scratch);
        for (const ModelScratch::Symbol &symbol : scratch.symbols) {
            if (symbol.begin < symbol.end) {
                tokens.push_back({symbol.id, symbol.begin, symbol.end});
            }
        }
    }

private:
    using Symbols = std::vector<ModelScratch::Symbol>;

    // Characters without a token, which may be joined to one unknown token.
    struct Unknown {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    static void add(Symbols &symbols, std::uint32_t id, std::uint32_t begin, std::uint32_t end) {
        symbols.push_back({id, begin, end, 0, 0, {}});
    }

    void flush(Unknown &unknown, Symbols &symbols) const {
        if (unknown.begin < unknown.end) {
            add(symbols, rules_.unknown, unknown.begin, unknown.end);
            unknown = {};
        }
    }

    void note_unknown(Unknown &unknown, Symbols &symbols, std::uint32_t begin, std::uint32_t end) const {
        if (rules_.unknown == Trie::no_value) {
            return;  // left out
        }
        if (rules_.fuses_unknown && unknown.begin < unknown.end) {
            unknown.end = end;
            return;
        }
        flush(unknown, symbols);
        unknown = {begin, end};
    }

    void cut_into_bytes(std::string_view piece, Symbols &symbols) const {
        Unknown unknown;
        for (std::uint32_t at = 0; at < piece.size(); ++at) {
            const std::uint32_t id = rules_.bytes[static_cast<unsigned char>(piece[at])];
            if (id == Trie::no_value) {
                note_unknown(unknown, symbols, at, at + 1);
                continue;
            }
            flush(unknown, symbols);
            add(symbols, id, at, at + 1);
        }
        flush(unknown, symbols);
    }

    void cut_into_characters(std::string_view piece, Symbols &symbols) const {
        Unknown unknown;
        std::string text;
        for (std::uint32_t at = 0; at < piece.size();) {
            const std::uint32_t end = at + decode(piece.data() + at).length;
            std::string_view character = piece.substr(at, end - at);
            if ((at != 0 && !rules_.prefix.empty()) || (end == piece.size() && !rules_.suffix.empty())) {
                text = at != 0 ? rules_.prefix : std::string();
                text += character;
                text += end == piece.size() ? rules_.suffix : std::string();
                character = text;
            }
            const std::uint32_t id = rules_.tokens.find(character);
            if (id != Trie::no_value) {
                flush(unknown, symbols);
                add(symbols, id, at, end);
            } else if (!add_bytes(character, at, symbols)) {
                note_unknown(unknown, symbols, at, end);
            }
            at = end;
        }
        flush(unknown, symbols);
    }

    // False if a byte has no token.
    bool add_bytes(std::string_view character, std::uint32_t at, Symbols &symbols) const {
        const auto token_of = [this](char byte) { return rules_.bytes[static_cast<unsigned char>(byte)]; };
        if (!rules_.falls_back_to_bytes || std::any_of(character.begin(), character.end(),
                                                       [&](char byte) { return token_of(byte) == Trie::no_value; })) {
            return false;
        }
        for (const char byte : character) {
            add(symbols, token_of(byte), at, at + 1);
            ++at;
        }
        return true;
    }

    BpeRules rules_;
};

std::uint32_t token_or_none(const Vocabulary &vocabulary, std::string_view token) {
    return vocabulary.find(token).value_or(Trie::no_value);
}

BpeMerges read_merges(const JsonPart &part, const Vocabulary &vocabulary, std::size_t prefix) {
    const auto parts = part.parts();
    BpeMerges merges(parts.size());
    std::int32_t rank = 0;
    for (const JsonPart &merge : parts) {
        const auto [left, right] = read_merge(merge);
        const std::string whole = std::string(left) + std::string(right.substr(std::min(prefix, right.size())));
        const std::uint32_t ids[] = {token_or_none(vocabulary, left), token_or_none(vocabulary, right),
                                     token_or_none(vocabulary, whole)};
        for (std::size_t i = 0; i < 3; ++i) {
            if (ids[i] == Trie::no_value) {
                const std::string_view names[] = {left, right, whole};
                merge.fail(fmt::format("the vocabulary lacks the token \"{}\" of this merge", names[i]));
            }
        }
        merges.add(ids[0], ids[1], {rank++, ids[2]});
    }
    return merges;
}

// Tokens as the bytes that they spell.
Trie trie_of_bytes(const std::vector<Vocabulary::Entry> &entries) {
    std::vector<std::pair<std::string, std::uint32_t>> spelled;
    for (const auto &[token, id] : entries) {
        if (auto bytes = bytes_of_token(token)) {
            spelled.emplace_back(*std::move(bytes), id);
        }
    }
    return Trie({spelled.begin(), spelled.end()});
}

}  // namespace

std::unique_ptr<Model> read_bpe(const JsonPart &part, bool takes_bytes, Vocabulary &vocabulary) {
    vocabulary.read(part.member("vocab"));
    BpeRules rules;
    rules.prefix = part.text("continuing_subword_prefix", "");
    rules.suffix = part.text("end_of_word_suffix", "");
    if (const auto dropout = part.find("dropout")) {
        if (dropout->number() != 0) {
            dropout->fail("a tokenizer that leaves out merges at random is not supported", "set \"dropout\" to null");
        }
    }
    if (const auto unknown = part.find("unk_token")) {
        rules.unknown = token_or_none(vocabulary, unknown->text());
        if (rules.unknown == Trie::no_value) {
            unknown->fail(fmt::format("the vocabulary lacks the unknown token \"{}\"", unknown->text()));
        }
    }
    rules.fuses_unknown = part.flag("fuse_unk", false);
    rules.falls_back_to_bytes = part.flag("byte_fallback", false);
    rules.ignores_merges = part.flag("ignore_merges", false);
    rules.takes_bytes = takes_bytes;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        const auto token = takes_bytes ? vocabulary.find(Utf8Bytes(character_of_byte(static_cast<std::uint8_t>(byte))))
                                       : vocabulary.find_byte(byte);
        rules.bytes[byte] = token.value_or(Trie::no_value);
    }
    rules.merges = read_merges(part.member("merges"), vocabulary, rules.prefix.size());
    const std::vector<Vocabulary::Entry> entries = vocabulary.entries();
    if (!takes_bytes) {
        rules.tokens = Trie(entries);
    } else if (rules.ignores_merges) {
        rules.tokens = trie_of_bytes(entries);
    }
    return std::make_unique<Bpe>(std::move(rules));
}

}  // namespace tenrex::text
