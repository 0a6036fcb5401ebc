#include "lib/text/pattern_reader.h"

#include <algorithm>
#include <charconv>
#include <string>

#include <unicode/uchar.h>

namespace tenrex::text {

namespace {

void require(bool holds) {
    if (!holds) {
        throw NotInProgram{};
    }
}

bool is_ascii_alphanumeric(char32_t c) {
    return c < 0x80 && u_isalnum(static_cast<UChar32>(c)) != 0;
}

bool is_printed_ascii(char32_t c) {
    return c >= ' ' && c < 0x7F;
}

// Two characters outside of ASCII are letters of ASCII in another case.
void add_in_any_case(CharacterSet &set, char32_t c) {
    require(c < 0x80);
    const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
    const auto upper = static_cast<char32_t>(u_toupper(static_cast<UChar32>(c)));
    set.add(lower, lower);
    set.add(upper, upper);
    if (lower == 's') {
        set.add(0x17F, 0x17F);
    } else if (lower == 'k') {
        set.add(0x212A, 0x212A);
    }
}

void add_characters(CharacterSet &set, char32_t first, char32_t last, bool any_case) {
    require(first <= last);
    if (!any_case) {
        set.add(first, last);
        return;
    }
    require(last < 0x80);
    for (char32_t c = first; c <= last; ++c) {
        add_in_any_case(set, c);
    }
}

}  // namespace

bool PatternReader::take(std::string_view text) noexcept {
    if (!is_at(text)) {
        return false;
    }
    rest_.remove_prefix(text.size());
    return true;
}

std::uint32_t PatternReader::number(std::uint32_t most) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    require(error == std::errc() && value <= most);
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
}

CharacterSet PatternReader::set(bool any_case, std::optional<char32_t> &character) {
    character.reset();
    if (take("[")) {
        return brackets(any_case);
    }
    CharacterSet set;
    if (take_class(set)) {
        require(!any_case);
        return set;
    }
    const bool is_escaped = is_at("\\");
    character = is_escaped ? escaped_character() : next();
    require(is_escaped || *character >= 0x80 ||
            std::string_view(".^$*+?{}[]()|").find(static_cast<char>(*character)) == std::string_view::npos);
    add_characters(set, *character, *character, any_case);
    return set;
}

char32_t PatternReader::next() {
    require(!rest_.empty());
    const CodePoint c = decode(rest_.data());
    rest_.remove_prefix(c.length);
    return c.value;
}

char32_t PatternReader::escaped_character() {
    require(take("\\"));
    const char32_t c = next();
    switch (c) {
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'f':
            return '\f';
        case 'u':
            return hexadecimal(4);
        case 'U':
            return hexadecimal(8);
        case 'x':
            return hexadecimal(is_at("{") ? 0 : 2);
        default:
            require(is_printed_ascii(c) && !is_ascii_alphanumeric(c));
            return c;
    }
}

// digits: how many; 0: one or more in braces.
char32_t PatternReader::hexadecimal(std::size_t digits) {
    const bool has_braces = digits == 0;
    if (has_braces) {
        require(take("{"));
        digits = rest_.find('}');
    }
    require(digits >= 1 && digits <= 8 && digits <= rest_.size());
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + digits, value, 16);
    require(error == std::errc() && end == rest_.data() + digits);
    require(value <= last_code_point && (value < 0xD800 || value > 0xDFFF));
    rest_.remove_prefix(digits + (has_braces ? 1 : 0));
    return value;
}

bool PatternReader::take_class(CharacterSet &set) {
    if (take("\\s")) {
        set.add_categories(white_space_bit);
    } else if (take("\\S")) {
        set.add_without(white_space_bit);
    } else if (take("\\w")) {
        set.add_categories(word_bit);
    } else if (take("\\W")) {
        set.add_without(word_bit);
    } else if (take("\\d")) {
        set.add_categories(U_GC_ND_MASK);
    } else if (take("\\D")) {
        set.add_categories(every_category & ~U_GC_ND_MASK);
    } else if (is_at("\\p") || is_at("\\P")) {
        take_category(set);
    } else {
        return false;
    }
    return true;
}

void PatternReader::take_category(CharacterSet &set) {
    const bool is_negated = is_at("\\P");
    rest_.remove_prefix(2);
    require(take("{"));
    const std::size_t end = rest_.find('}');
    require(end != std::string_view::npos);
    const std::string name(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    require(std::all_of(name.begin(), name.end(),
                        [](char c) { return c == '_' || is_ascii_alphanumeric(static_cast<unsigned char>(c)); }));
    const std::int32_t mask = u_getPropertyValueEnum(UCHAR_GENERAL_CATEGORY_MASK, name.c_str());
    require(mask != UCHAR_INVALID_CODE);
    const auto bits = static_cast<std::uint32_t>(mask);
    set.add_categories(is_negated ? every_category & ~bits : bits);
}

char32_t PatternReader::bracket_character() {
    if (is_at("\\")) {
        return escaped_character();
    }
    const char32_t c = next();
    require(c != '[');
    // The operators of sets are written twice.
    require((c != '&' && c != '-') || !is_at({c == '&' ? "&" : "-"}));
    return c;
}

CharacterSet PatternReader::brackets(bool any_case) {
    CharacterSet set;
    const bool is_negated = take("^");
    // ICU adds what is the same in another case; before or after it negates need not be known here.
    require(!(is_negated && any_case) && !is_at("]"));
    bool may_be_hyphen = true;  // at the beginning and at the end a hyphen is one
    while (!take("]")) {
        if (take_class(set)) {
            require(!any_case && (!is_at("-") || is_at("-]")));
        } else {
            const bool is_hyphen = is_at("-");
            const char32_t first = bracket_character();
            require(!is_hyphen || may_be_hyphen || is_at("]"));
            const bool is_range = is_at("-") && !is_at("-]");
            require(!(is_range && is_hyphen));
            if (is_range) {
                take("-");
                require(!is_at("-"));
            }
            add_characters(set, first, is_range ? bracket_character() : first, any_case);
        }
        may_be_hyphen = false;
    }
    if (is_negated) {
        set.negate();
    }
    return set;
}

}  // namespace tenrex::text
