// Words that people write in either case.
#pragma once

#include <algorithm>
#include <string_view>

namespace tenrex::syntax {

// Whether a text is the word, which is given in lower case.
inline bool same_word(std::string_view text, std::string_view word) noexcept {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

}  // namespace tenrex::syntax
