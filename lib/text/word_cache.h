// The tokens of words seen before, in a table of fixed size: a word takes the place of another one with the same hash.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <xxhash.h>

#include "lib/text/model.h"

namespace tenrex::text {

class WordCache {
public:
    // Words are longer, or have more tokens: they are not kept.
    static constexpr std::size_t longest_word = 38;
    static constexpr std::size_t most_tokens = 8;

    struct Token {
        std::uint32_t id = 0;
        std::uint8_t begin = 0;
        std::uint8_t end = 0;
    };
    struct Entry {
        std::array<Token, most_tokens> tokens{};
        std::uint8_t count = 0;
        std::uint8_t length = 0;  // 0: empty
        std::array<char, longest_word> word{};
    };

    // Forgets all words if they are of another tokenizer. Numbers begin with 1.
    void use_for(std::uint64_t tokenizer) {
        if (tokenizer_ != tokenizer) {
            tokenizer_ = tokenizer;
            entries_.assign(size, {});
        }
    }

    // The place of a word that is not too long; it may hold another one.
    Entry &place_of(std::string_view word) noexcept { return entries_[XXH3_64bits(word.data(), word.size()) % size]; }

    static bool holds(const Entry &entry, std::string_view word) noexcept {
        return entry.length == word.size() && std::memcmp(entry.word.data(), word.data(), word.size()) == 0;
    }
    static void put(Entry &entry, std::string_view word, const PieceToken *tokens, std::size_t count) noexcept {
        if (count > most_tokens) {
            return;
        }
        std::copy(word.begin(), word.end(), entry.word.begin());
        entry.length = static_cast<std::uint8_t>(word.size());
        entry.count = static_cast<std::uint8_t>(count);
        std::transform(tokens, tokens + count, entry.tokens.begin(), [](const PieceToken &token) {
            return Token{token.id, static_cast<std::uint8_t>(token.begin), static_cast<std::uint8_t>(token.end)};
        });
    }

private:
    static constexpr std::size_t size = 8192;  // 850 kB

    std::uint64_t tokenizer_ = 0;
    std::vector<Entry> entries_;
};

}  // namespace tenrex::text
