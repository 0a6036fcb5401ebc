#include "lib/text/graphemes.h"

#include <array>
#include <cstdint>

#include <unicode/uchar.h>

#include "lib/text/code_points.h"

namespace tenrex::text {

namespace {

struct BreakPage {
    std::array<std::uint8_t, 256> kinds{};
};

BreakPage make_break_page(char32_t first) {
    BreakPage page;
    for (char32_t i = 0; i < 256; ++i) {
        page.kinds[i] = static_cast<std::uint8_t>(
            u_getIntPropertyValue(static_cast<UChar32>(first + i), UCHAR_GRAPHEME_CLUSTER_BREAK));
    }
    return page;
}

int break_kind(char32_t c) {
    static const auto &pages = *new CodePointPages<BreakPage>();
    return pages.page_of(c, make_break_page).kinds[c & 0xFF];
}

bool is_control_kind(int kind) noexcept {
    return kind == U_GCB_CONTROL || kind == U_GCB_CR || kind == U_GCB_LF;
}

bool joins(int left, int right) noexcept {
    if (left == U_GCB_CR && right == U_GCB_LF) {
        return true;
    }
    if (is_control_kind(left) || is_control_kind(right)) {
        return false;
    }
    if (right == U_GCB_EXTEND || right == U_GCB_ZWJ || right == U_GCB_SPACING_MARK || left == U_GCB_PREPEND) {
        return true;
    }
    switch (left) {
        case U_GCB_L:
            return right == U_GCB_L || right == U_GCB_V || right == U_GCB_LV || right == U_GCB_LVT;
        case U_GCB_LV:
        case U_GCB_V:
            return right == U_GCB_V || right == U_GCB_T;
        case U_GCB_LVT:
        case U_GCB_T:
            return right == U_GCB_T;
        default:
            return false;
    }
}

}  // namespace

bool stands_alone(char32_t code_point) {
    return break_kind(code_point) == U_GCB_OTHER;
}

std::size_t grapheme_end(std::string_view text, std::size_t begin) {
    const CodePoint first = decode(text.data() + begin);
    std::size_t end = begin + first.length;
    constexpr char32_t first_that_joins = 0x300;
    int left = -1;
    char32_t previous = first.value;
    while (end < text.size()) {
        const CodePoint next = decode(text.data() + end);
        if (previous < first_that_joins && next.value < first_that_joins && previous != '\r') {
            break;
        }
        left = left < 0 ? break_kind(previous) : left;
        const int right = break_kind(next.value);
        if (!joins(left, right)) {
            break;
        }
        left = right;
        previous = next.value;
        end += next.length;
    }
    return end;
}

}  // namespace tenrex::text
