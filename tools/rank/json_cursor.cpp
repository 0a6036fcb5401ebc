#include "tools/rank/json_cursor.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <iterator>

namespace tenrex::tool {

namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

// -1: it is none.
int hexadecimal_digit(char c) noexcept {
    const char lower = static_cast<char>(c | 0x20);
    return is_digit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Powers of ten that a double holds exactly.
constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::uint64_t exact_integers = std::uint64_t{1} << 53;
constexpr std::size_t safe_digits = 18;  // as many always fit 64 bits

void append_utf8(std::string &out, unsigned point) {
    char bytes[4];
    std::size_t count = 0;
    const auto put = [&](unsigned byte) { bytes[count++] = static_cast<char>(byte); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0 | (point >> 6));
        put(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        put(0xE0 | (point >> 12));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    } else {
        put(0xF0 | (point >> 18));
        put(0x80 | ((point >> 12) & 0x3F));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    }
    out.append(bytes, count);
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0x80                              ? 1
                                   : (first & 0xE0) == 0xC0 && first >= 0xC2 ? 2
                                   : (first & 0xF0) == 0xE0                  ? 3
                                   : (first & 0xF8) == 0xF0                  ? 4
                                                                             : 0;
        if (length == 0 || text.size() - i < length) {
            return false;
        }
        unsigned point = length == 1 ? first : first & (0x7Fu >> length);
        for (std::size_t k = 1; k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            if ((next & 0xC0) != 0x80) {
                return false;
            }
            point = (point << 6) | (next & 0x3F);
        }
        if ((length == 3 && (point < 0x800 || (point >= 0xD800 && point < 0xE000))) ||
            (length == 4 && (point < 0x10000 || point > 0x10FFFF))) {
            return false;
        }
        i += length;
    }
    return true;
}

bool JsonCursor::fail(const char *problem) noexcept {
    if (problem_ == nullptr) {
        problem_ = problem;
    }
    return false;
}

void JsonCursor::skip_space() noexcept {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
        ++at_;
    }
}

bool JsonCursor::accept(char c) noexcept {
    skip_space();
    if (failed() || at_ == text_.size() || text_[at_] != c) {
        return false;
    }
    ++at_;
    return true;
}

JsonCursor::Kind JsonCursor::kind() noexcept {
    skip_space();
    switch (peek()) {
        case '{':
            return Kind::object;
        case '[':
            return Kind::array;
        case '"':
            return Kind::string;
        case 't':
        case 'f':
            return Kind::boolean;
        case 'n':
            return Kind::null;
        default:
            return peek() == '-' || is_digit(peek()) ? Kind::number : Kind::other;
    }
}

bool JsonCursor::word(std::string_view expected) noexcept {
    if (!text_.substr(at_).starts_with(expected)) {
        return fail("a value is expected");
    }
    at_ += expected.size();
    return true;
}

bool JsonCursor::boolean(bool &value) {
    if (failed() || kind() != Kind::boolean) {
        return fail("true or false is expected");
    }
    value = peek() == 't';
    return word(value ? "true" : "false");
}

bool JsonCursor::number(double &value) {
    if (failed() || kind() != Kind::number) {
        return fail("a number is expected");
    }
    // Nearly all time of loading vectors is spent here: in registers, not in members.
    const std::size_t begin = at_;
    const char *const end = text_.data() + text_.size();
    const char *next = text_.data() + begin;
    const bool negative = *next == '-';
    next += negative ? 1 : 0;
    const char *const first = next;
    std::uint64_t digits = 0;
    for (; next != end && is_digit(*next); ++next) {
        digits = digits * 10 + static_cast<std::uint64_t>(*next - '0');
    }
    auto count = static_cast<std::size_t>(next - first);
    std::size_t decimals = 0;
    bool well_formed = count == 1 || (count > 1 && *first != '0');
    if (next != end && *next == '.') {
        const char *const point = next++;
        for (; next != end && is_digit(*next); ++next) {
            digits = digits * 10 + static_cast<std::uint64_t>(*next - '0');
        }
        decimals = static_cast<std::size_t>(next - point - 1);
        count += decimals;
        well_formed = well_formed && decimals > 0;
    }
    if (!well_formed) {
        return fail("malformed number");
    }
    at_ = static_cast<std::size_t>(next - text_.data());
    // The quotient of two numbers that are exact is rounded once, as it should be.
    const bool exponent = next != end && (*next == 'e' || *next == 'E');
    if (exponent || count > safe_digits || digits > exact_integers || decimals >= std::size(powers_of_ten)) {
        return slow_number(begin, value);
    }
    // A branch on the sign would be mispredicted half of the time.
    constexpr double signs[] = {1, -1};
    value = static_cast<double>(digits) / powers_of_ten[decimals] * signs[negative ? 1 : 0];
    return true;
}

bool JsonCursor::slow_number(std::size_t begin, double &value) {
    if (peek() == 'e' || peek() == 'E') {
        ++at_;
        at_ += peek() == '+' || peek() == '-' ? 1 : 0;
        if (!is_digit(peek())) {
            at_ = begin;
            return fail("malformed number");
        }
        while (is_digit(peek())) {
            ++at_;
        }
    }
    const std::string_view text = text_.substr(begin, at_ - begin);
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::result_out_of_range) {
        value = std::strtod(std::string(text).c_str(), nullptr);  // infinity, or what is left near zero
    }
    return true;
}

bool JsonCursor::string(std::string_view &value) {
    if (failed() || kind() != Kind::string) {
        return fail("a string is expected");
    }
    const std::size_t begin = ++at_;
    bool ascii = true;
    while (at_ < text_.size()) {
        const auto c = static_cast<unsigned char>(text_[at_]);
        if (c == '"') {
            value = text_.substr(begin, at_ - begin);
            if (!ascii && !is_utf8(value)) {
                at_ = begin - 1;
                return fail("a string that is not UTF-8");
            }
            ++at_;
            return true;
        }
        if (c == '\\') {
            return escaped_string(begin, ascii, value);
        }
        if (c < 0x20) {
            return fail("a control character in a string");
        }
        ascii = ascii && c < 0x80;
        ++at_;
    }
    return fail("a string that does not end");
}

// The string has an escape where the cursor stands. Escapes give valid characters, so that only others are looked at.
bool JsonCursor::escaped_string(std::size_t begin, bool ascii, std::string_view &value) {
    unescaped_.assign(text_.substr(begin, at_ - begin));
    for (;;) {
        const std::size_t plain = at_;
        while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
               static_cast<unsigned char>(text_[at_]) >= 0x20) {
            ascii = ascii && static_cast<unsigned char>(text_[at_]) < 0x80;
            ++at_;
        }
        unescaped_.append(text_, plain, at_ - plain);
        if (at_ == text_.size()) {
            return fail("a string that does not end");
        }
        if (text_[at_] == '"') {
            break;
        }
        if (text_[at_] != '\\') {
            return fail("a control character in a string");
        }
        ++at_;
        if (!escape()) {
            return false;
        }
    }
    value = unescaped_;
    if (!ascii && !is_utf8(value)) {
        at_ = begin - 1;
        return fail("a string that is not UTF-8");
    }
    ++at_;
    return true;
}

bool JsonCursor::code_unit(unsigned &unit) {
    if (text_.size() - at_ < 4) {
        return fail("a \\u escape needs four hexadecimal digits");
    }
    unit = 0;
    bool well_formed = true;
    for (std::size_t i = 0; i < 4; ++i) {
        const int digit = hexadecimal_digit(text_[at_ + i]);
        well_formed = well_formed && digit >= 0;
        unit = unit << 4 | static_cast<unsigned>(digit);
    }
    if (!well_formed) {
        return fail("a \\u escape needs four hexadecimal digits");
    }
    at_ += 4;
    return true;
}

// What stands behind a backslash.
bool JsonCursor::escape() {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const char c = peek();
    const std::size_t known = letters.find(c);
    if (c != 'u') {
        if (known == std::string_view::npos) {
            return fail("an unknown escape in a string");
        }
        unescaped_ += meanings[known];
        ++at_;
        return true;
    }
    ++at_;
    unsigned point = 0;
    if (!code_unit(point)) {
        return false;
    }
    if (point >= 0xD800 && point < 0xDC00) {
        unsigned low = 0;
        if (!word("\\u") || !code_unit(low) || low < 0xDC00 || low >= 0xE000) {
            problem_ = "half a surrogate pair in a string";
            return false;
        }
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    } else if (point >= 0xDC00 && point < 0xE000) {
        return fail("half a surrogate pair in a string");
    }
    append_utf8(unescaped_, point);
    return true;
}

bool JsonCursor::member_name(std::string_view &name) {
    if (!string(name)) {
        problem_ = "the name of a member is expected";
        return false;
    }
    return accept(':') || fail("':' is expected");
}

bool JsonCursor::enter_object(std::string_view &name) {
    if (!accept('{')) {
        return fail("an object is expected");
    }
    return !accept('}') && member_name(name);
}

bool JsonCursor::next_member(std::string_view &name) {
    if (accept(',')) {
        return member_name(name);
    }
    return !accept('}') && fail("',' or '}' is expected");
}

bool JsonCursor::enter_array() {
    if (!accept('[')) {
        return fail("an array is expected");
    }
    return !accept(']') && !failed();
}

bool JsonCursor::next_element() {
    if (accept(',')) {
        return true;
    }
    return !accept(']') && fail("',' or ']' is expected");
}

bool JsonCursor::scalar() {
    double number_value = 0;
    std::string_view string_value;
    bool truth = false;
    switch (kind()) {
        case Kind::number:
            return number(number_value);
        case Kind::string:
            return string(string_value);
        case Kind::boolean:
            return boolean(truth);
        case Kind::null:
            return word("null");
        default:
            return fail("a value is expected");
    }
}

bool JsonCursor::skip(std::string_view &value) {
    skip_space();
    const std::size_t begin = at_;
    std::string open;  // the brackets that are open, each as the one that closes it
    do {
        std::string_view name;
        const Kind next = kind();
        bool inside = false;  // a value of the innermost bracket stands next
        if (next == Kind::object || next == Kind::array) {
            inside = next == Kind::object ? enter_object(name) : enter_array();
            if (inside) {
                open += next == Kind::object ? '}' : ']';
            }
        } else {
            scalar();
        }
        while (!inside && !failed() && !open.empty()) {
            inside = open.back() == '}' ? next_member(name) : next_element();
            if (!inside && !failed()) {
                open.pop_back();
            }
        }
    } while (!failed() && !open.empty());
    value = text_.substr(begin, at_ - begin);
    return !failed();
}

bool JsonCursor::finish() {
    skip_space();
    return !failed() && (at_ == text_.size() || fail("something follows the object"));
}

}  // namespace tenrex::tool
