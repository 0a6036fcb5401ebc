#include "tools/rank/words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tenrex::tool {

namespace {

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t bytes = 1;
};

// 0 for a byte that begins no code point.
CodePoint first_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        return {lead, 1};
    }
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) {
        return {};
    }
    std::uint32_t value = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) {
            return {};
        }
        value = value << 6 | (byte(i) & 0x3FU);
    }
    return {value, bytes};
}

bool is_between(std::uint32_t c, std::uint32_t first, std::uint32_t last) {
    return c >= first && c <= last;
}

bool belongs_to_word(std::uint32_t c) {
    if (c < 0x80) {
        return is_between(c, '0', '9') || is_between(c, 'a', 'z') || is_between(c, 'A', 'Z');
    }
    const bool is_sign = c < 0xC0 ? c != 0xAA && c != 0xB5 && c != 0xBA : c == 0xD7 || c == 0xF7;
    return !is_sign && !is_between(c, 0x2000, 0x206F) && !is_between(c, 0x20A0, 0x20CF) &&
           !is_between(c, 0x2190, 0x2BFF) && !is_between(c, 0x3000, 0x303F) && !is_between(c, 0xFF00, 0xFF0F);
}

std::uint32_t small_letter(std::uint32_t c) {
    if (is_between(c, 'A', 'Z') || is_between(c, 0xC0, 0xDE) || is_between(c, 0x391, 0x3A9) ||
        is_between(c, 0x410, 0x42F)) {
        return c + 32;
    }
    const bool pairs = is_between(c, 0x100, 0x137) || is_between(c, 0x14A, 0x177) || is_between(c, 0x460, 0x481);
    return is_between(c, 0x400, 0x40F) ? c + 80 : pairs ? c | 1U : c;
}

void append(std::string &text, std::uint32_t c) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (c < 0x80) {
        add(c);
        return;
    }
    if (c < 0x800) {
        add(0xC0U | c >> 6);
    } else {
        if (c < 0x10000) {
            add(0xE0U | c >> 12);
        } else {
            add(0xF0U | c >> 18);
            add(0x80U | (c >> 12 & 0x3FU));
        }
        add(0x80U | (c >> 6 & 0x3FU));
    }
    add(0x80U | (c & 0x3FU));
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    while (!text.empty()) {
        const CodePoint c = first_of(text);
        text.remove_prefix(c.bytes);
        if (belongs_to_word(c.value)) {
            append(word, small_letter(c.value));
        } else if (!word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
    }
    if (!word.empty()) {
        words.push_back(std::move(word));
    }
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
