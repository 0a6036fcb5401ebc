#include "lib/text/code_points.h"

#include <algorithm>

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

namespace tenrex::text {

namespace {

// Whether the code point was there in that version of Unicode.
bool is_as_old_as(UChar32 c, std::uint8_t version) {
    UVersionInfo age{};
    u_charAge(c, age);
    return age[0] != 0 && age[0] <= version;
}

bool is_one_of(char32_t c, std::initializer_list<char32_t> list) {
    return std::find(list.begin(), list.end(), c) != list.end();
}

bool is_cjk_ideograph(char32_t c) {
    const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
    return within(0x4E00, 0x9FFF) || within(0x3400, 0x4DBF) || within(0x20000, 0x2A6DF) || within(0x2A700, 0x2B81F) ||
           within(0x2B920, 0x2CEAF) || within(0xF900, 0xFAFF) || within(0x2F800, 0x2FA1F);
}

bool is_ascii_punctuation(char32_t c) {
    return c < 0x80 && u_isgraph(static_cast<UChar32>(c)) && !u_isalnum(static_cast<UChar32>(c));
}

// What Unicode 8 said of characters whose category has changed since.
unsigned category_of_unicode_8(char32_t c) {
    if (is_one_of(c, {0x166D, 0x111C9})) {
        return U_GC_PO_MASK;
    }
    if (c == 0x1734) {
        return U_GC_MN_MASK;
    }
    if (is_one_of(c, {0x1885, 0x1886})) {
        return U_GC_LO_MASK;
    }
    const auto character = static_cast<UChar32>(c);
    return is_as_old_as(character, 8) ? U_MASK(u_charType(character)) : U_GC_CN_MASK;
}

bool is_mark_of_unicode_9(char32_t c) {
    const auto character = static_cast<UChar32>(c);
    const bool is_mark_now = (U_MASK(u_charType(character)) & U_GC_M_MASK) != 0;
    return is_one_of(c, {0x1CF2, 0x1CF3}) || (is_mark_now && is_as_old_as(character, 9));
}

const UNormalizer2 *normalizer(Decomposition decomposition) {
    UErrorCode status = U_ZERO_ERROR;
    return decomposition == Decomposition::canonical ? unorm2_getNFDInstance(&status) : unorm2_getNFKDInstance(&status);
}

// Asks today's Unicode: once a character is assigned, its forms never change.
bool may_change(UChar32 c, UProperty quick_check) {
    return u_getIntPropertyValue(c, quick_check) != UNORM_YES || u_getCombiningClass(c) != 0;
}

bool is_of_words(UChar32 c, unsigned category) {
    return (category & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0 || u_hasBinaryProperty(c, UCHAR_ALPHABETIC) ||
           u_hasBinaryProperty(c, UCHAR_JOIN_CONTROL);
}

static_assert(U_CHAR_CATEGORY_COUNT <= 30);  // that many bits are for them

}  // namespace

TraitPage make_trait_page(char32_t first) {
    TraitPage page;
    for (char32_t i = 0; i < 256; ++i) {
        const char32_t c = first + i;
        const auto character = static_cast<UChar32>(c);
        const unsigned category = U_MASK(u_charType(character));
        const unsigned old = category_of_unicode_8(c);
        unsigned traits = 0;
        const auto note = [&traits](Trait trait, bool holds) { traits |= holds ? static_cast<unsigned>(trait) : 0U; };
        note(is_white_space, u_hasBinaryProperty(character, UCHAR_WHITE_SPACE));
        note(is_letter, (category & U_GC_L_MASK) != 0);
        note(is_number, (category & U_GC_N_MASK) != 0);
        note(is_word, is_of_words(character, category));
        note(is_control, (old & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) != 0);
        note(is_punctuation, (old & U_GC_P_MASK) != 0 || is_ascii_punctuation(c));
        note(is_nonspacing, (old & U_GC_MN_MASK) != 0);
        note(is_mark, is_mark_of_unicode_9(c));
        note(is_chinese, is_cjk_ideograph(c));
        note(reorders, combining_class(c) != 0);
        note(changes_in_nfc, may_change(character, UCHAR_NFC_QUICK_CHECK));
        note(changes_in_nfd, may_change(character, UCHAR_NFD_QUICK_CHECK));
        note(changes_in_nfkc, may_change(character, UCHAR_NFKC_QUICK_CHECK));
        note(changes_in_nfkd, may_change(character, UCHAR_NFKD_QUICK_CHECK));
        note(has_lower_case, u_tolower(character) != character);
        page.traits[i] = static_cast<std::uint16_t>(traits);
    }
    return page;
}

CategoryPage make_category_page(char32_t first) {
    CategoryPage page;
    for (char32_t i = 0; i < 256; ++i) {
        const auto character = static_cast<UChar32>(first + i);
        std::uint32_t &bits = page.bits[i];
        bits = U_MASK(u_charType(character));
        bits |= is_of_words(character, bits) ? word_bit : 0;
        bits |= u_hasBinaryProperty(character, UCHAR_WHITE_SPACE) ? white_space_bit : 0;
    }
    return page;
}

CodePoint decode_before(std::string_view text, std::size_t end) noexcept {
    std::size_t begin = end - 1;
    while ((static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) {
        --begin;
    }
    return decode(text.data() + begin);
}

Utf8Bytes::Utf8Bytes(char32_t c) noexcept {
    const auto byte = [this](char32_t value) { bytes_[size_++] = static_cast<char>(value); };
    if (c < 0x80) {
        byte(c);
        return;
    }
    if (c < 0x800) {
        byte(0xC0 | (c >> 6));
    } else {
        if (c < 0x10000) {
            byte(0xE0 | (c >> 12));
        } else {
            byte(0xF0 | (c >> 18));
            byte(0x80 | ((c >> 12) & 0x3F));
        }
        byte(0x80 | ((c >> 6) & 0x3F));
    }
    byte(0x80 | (c & 0x3F));
}

std::size_t end_without(std::string_view text, std::size_t at, unsigned traits) {
    while (at < text.size()) {
        const CodePoint c = decode(text.data() + at);
        if (has(c.value, traits)) {
            break;
        }
        at += c.length;
    }
    return at;
}

std::uint8_t combining_class(char32_t code_point) {
    const auto character = static_cast<UChar32>(code_point);
    return is_as_old_as(character, 9) ? u_getCombiningClass(character) : std::uint8_t{0};
}

void append_lower_case(char32_t code_point, std::u32string &out) {
    out += static_cast<char32_t>(u_tolower(static_cast<UChar32>(code_point)));
    if (code_point == 0x130) {  // the only one whose lower case is two code points
        out += char32_t{0x307};
    }
}

void append_decomposed(char32_t code_point, Decomposition decomposition, std::u32string &out) {
    std::array<UChar, 32> units{};  // the longest has 18
    UErrorCode status = U_ZERO_ERROR;
    const auto character = static_cast<UChar32>(code_point);
    const std::int32_t count = unorm2_getDecomposition(normalizer(decomposition), character, units.data(),
                                                       static_cast<std::int32_t>(units.size()), &status);
    if (count < 0 || U_FAILURE(status) || !is_as_old_as(character, 9)) {
        out += code_point;
        return;
    }
    for (std::int32_t i = 0; i < count;) {
        UChar32 part = 0;
        U16_NEXT(units.data(), i, count, part);
        out += static_cast<char32_t>(part);
    }
}

char32_t composed(char32_t first, char32_t second) {
    UErrorCode status = U_ZERO_ERROR;
    const UChar32 result =
        unorm2_composePair(unorm2_getNFCInstance(&status), static_cast<UChar32>(first), static_cast<UChar32>(second));
    return result >= 0 && is_as_old_as(result, 9) ? static_cast<char32_t>(result) : U'\0';
}

}  // namespace tenrex::text
