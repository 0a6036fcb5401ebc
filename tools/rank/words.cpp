#include "tools/rank/words.h"

#include <algorithm>
#include <cstdint>

#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace tenrex::tool {

std::vector<std::string> words_of(std::string_view text) {
    constexpr std::uint32_t of_words = U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK;
    // Bytes that are not UTF-8 become a sign, which is no part of a word.
    const auto characters = icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
    std::vector<std::string> words;
    icu::UnicodeString word;
    const auto end_word = [&] {
        if (!word.isEmpty()) {
            word.toUTF8String(words.emplace_back());
            word.remove();
        }
    };
    for (std::int32_t at = 0; at < characters.length(); at = characters.moveIndex32(at, 1)) {
        const UChar32 c = characters.char32At(at);
        if ((U_GET_GC_MASK(c) & of_words) != 0) {
            word.append(u_tolower(c));
        } else {
            end_word();
        }
    }
    end_word();
    return words;
}

std::pair<std::string_view, std::string_view> split_feature(std::string_view name) {
    const std::size_t open = name.find('(');
    if (open == std::string_view::npos || !name.ends_with(')')) {
        return {name, {}};
    }
    return {name.substr(0, open), name.substr(open + 1, name.size() - open - 2)};
}

bool is_text_feature(std::string_view name, const std::vector<std::string> &fields) {
    const auto [base, field] = split_feature(name);
    if (base == "queryTermCount" && field.empty()) {
        return !fields.empty();
    }
    return (base == "bm25" || base == "fieldLength" || base == "matches") &&
           std::find(fields.begin(), fields.end(), field) != fields.end();
}

}  // namespace tenrex::tool
