// Texts with small mistakes, for comparing two readers of the same format.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace tenrex::tool {

// Makes `changes` changes at random places: a character of the alphabet instead, one less, or one more.
inline std::string damaged(std::string text, std::uint64_t changes, std::string_view alphabet,
                           std::mt19937_64 &random) {
    for (; changes > 0; --changes) {
        const std::size_t at = random() % text.size();
        switch (random() % 3) {
            case 0:
                text[at] = alphabet[random() % alphabet.size()];
                break;
            case 1:
                text.erase(at, 1);
                break;
            default:
                text.insert(at, 1, alphabet[random() % alphabet.size()]);
        }
    }
    return text;
}

}  // namespace tenrex::tool
