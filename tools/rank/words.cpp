#include "tools/rank/words.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "tools/rank/field_match.h"

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

FeatureParts split_feature(std::string_view name) {
    const std::size_t open = name.find('(');
    const std::size_t close = name.rfind(')');
    const bool has_output = close != std::string_view::npos && name.substr(close + 1).starts_with('.');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
        (close + 1 != name.size() && !has_output)) {
        return {name, {}, {}};
    }
    FeatureParts parts{name.substr(0, open), {}, has_output ? name.substr(close + 2) : std::string_view()};
    std::string_view rest = name.substr(open + 1, close - open - 1);
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        parts.fields.push_back(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return parts;
}

bool is_text_feature(std::string_view name, const std::vector<std::string> &fields) {
    const FeatureParts parts = split_feature(name);
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), parts.base) != names.end();
    };
    const bool are_known = std::all_of(parts.fields.begin(), parts.fields.end(), [&](std::string_view field) {
        return std::find(fields.begin(), fields.end(), field) != fields.end();
    });
    if (fields.empty() || !are_known) {
        return false;
    }
    if (is({"fieldMatch"})) {
        return parts.fields.size() == 1 && FieldMatch::output(parts.output);
    }
    return parts.output.empty() && ((is({"bm25", "fieldLength", "matches"}) && parts.fields.size() == 1) ||
                                    (is({"queryTermCount"}) && parts.fields.empty()) ||
                                    is({"nativeRank", "nativeFieldMatch", "nativeProximity"}));
}

bool is_text_feature_of(std::string_view name, const std::string &field) {
    const FeatureParts parts = split_feature(name);
    std::vector<std::string> fields(parts.fields.begin(), parts.fields.end());
    if (fields.empty()) {
        fields.push_back(field);
    }
    return std::find(fields.begin(), fields.end(), field) != fields.end() && is_text_feature(name, fields);
}

}  // namespace tenrex::tool
