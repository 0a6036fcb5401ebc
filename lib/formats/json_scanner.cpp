#include "lib/formats/json_scanner.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "lib/support/format.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"
#include "lib/types/utf8_text.h"

namespace tenrex {

namespace {

// The character that `\c` stands for, or 0.
char json_escape(char c) noexcept {
    switch (c) {
        case '"':
        case '\\':
        case '/':
            return c;
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        default:
            return 0;
    }
}

}  // namespace

bool JsonScanner::read_string(TextToken &token) {
    if (next() != '"') {
        return unexpected("a string");
    }
    token.begin = position();
    token.unescaped.clear();
    advance(1);
    std::size_t plain = position();  // where the characters begin that are not yet in token.unescaped
    while (!at_end()) {
        const char c = peek();
        if (c == '"') {
            const std::string_view rest = text().substr(plain, position() - plain);
            const bool escaped = plain != token.begin + 1;
            token.text = escaped ? std::string_view(token.unescaped.append(rest)) : rest;
            advance(1);
            token.end = position();
            return true;
        }
        if (c == '\\') {
            token.unescaped.append(text().substr(plain, position() - plain));
            if (!read_escape(token.unescaped)) {
                return false;
            }
            plain = position();
        } else if (c >= 0x20) {
            advance(1);
        } else if (static_cast<unsigned char>(c) < 0x20) {
            return fail(position(), position() + 1,
                        fmt::format("'{}' stands in a string", clipped(rest().substr(0, 1))),
                        "control characters are written as escapes: \\n, \\u0000");
        } else if (const std::size_t length = utf8_length(rest())) {
            advance(length);
        } else {
            return fail(position(), position() + 1, fmt::format("byte {} is not UTF-8", clipped(rest().substr(0, 1))),
                        "JSON is UTF-8 text");
        }
    }
    return fail_at_end("the string does not end", "end it with \"");
}

// A low surrogate from DC80 to DCFF that is alone stands for the byte 80 to FF: text that is not UTF-8 is written so.
bool JsonScanner::read_escape(std::string &out) {
    const std::size_t begin = position();
    const std::string_view escape = rest();
    const char kind = escape.size() > 1 ? escape[1] : '\0';
    if (const char character = json_escape(kind)) {
        out += character;
        advance(2);
        return true;
    }
    if (kind != 'u') {
        const std::size_t length = std::min<std::size_t>(escape.size(), 2);
        return fail(begin, begin + length, fmt::format("unknown escape '{}'", clipped(escape.substr(0, length))),
                    R"(the escapes of JSON are \" \\ \/ \b \f \n \r \t \uXXXX)");
    }
    const std::int32_t unit = hex_number(escape.substr(2), 4);
    if (unit < 0) {
        return fail(begin, begin + std::min<std::size_t>(escape.size(), 6), R"('\u' needs four hexadecimal digits)");
    }
    const auto code = static_cast<std::uint32_t>(unit);
    if (is_high_surrogate(code)) {
        const std::int32_t low = escape.substr(6).starts_with("\\u") ? hex_number(escape.substr(8), 4) : -1;
        if (low >= 0 && is_low_surrogate(static_cast<std::uint32_t>(low))) {
            append_utf8(out, combine_surrogates(code, static_cast<std::uint32_t>(low)));
            advance(12);
            return true;
        }
    }
    if (is_high_surrogate(code) || (is_low_surrogate(code) && (code < 0xDC80 || code > 0xDCFF))) {
        return fail(begin, begin + 6, fmt::format("'{}' is half of a surrogate pair", escape.substr(0, 6)));
    }
    if (is_low_surrogate(code)) {
        out += static_cast<char>(code - 0xDC00);
    } else {
        append_utf8(out, code);
    }
    advance(6);
    return true;
}

bool JsonScanner::read_key(TextToken &token) {
    if (next() != '"') {
        return unexpected("the name of a member in double quotes");
    }
    return read_string(token) && expect(':');
}

bool JsonScanner::read_digits(double &value) {
    const std::size_t sign = peek() == '-' ? 1 : 0;
    const std::string_view digits = rest().substr(sign);
    const NumberText number = read_decimal(digits);
    if (number.length == 0) {
        return unexpected("a number");
    }
    const std::size_t begin = position();
    const std::size_t end = begin + sign + number.length;
    const std::string_view written = digits.substr(0, number.length);
    // JSON is stricter than the language: 01 and 1. are no numbers.
    const std::size_t point = written.find('.');
    if ((written.size() > 1 && written[0] == '0' && is_digit(written[1])) ||
        (point != std::string_view::npos && (point + 1 == written.size() || !is_digit(written[point + 1])))) {
        return fail(begin, end,
                    fmt::format("'{}' is no number of JSON", clipped(rest().substr(0, sign + written.size()))),
                    "numbers have no leading zeros, and digits follow the point");
    }
    value = sign != 0 ? -number.value : number.value;
    seek(end);
    return true;
}

bool JsonScanner::read_number(double &value) {
    const char c = next();
    if (is_digit(c) || c == '-') {
        return read_digits(value);
    }
    if (c == '"') {
        TextToken token;
        if (!read_string(token)) {
            return false;
        }
        return read_special_number(token.text, value) ||
               fail(token.begin, token.end, fmt::format("the string \"{}\" is no number", clipped(token.text)),
                    R"(write numbers without quotes; the strings for numbers are "nan", "inf" and "-inf")");
    }
    if (c == 'n') {
        value = std::numeric_limits<double>::quiet_NaN();
        return read_word("null");
    }
    return unexpected("a number");
}

bool JsonScanner::read_word(std::string_view word) {
    if (token() != word) {
        return unexpected(word);
    }
    advance(word.size());
    return true;
}

bool JsonScanner::skip_scalar() {
    const char c = next();
    if (c == '"') {
        TextToken token;
        return read_string(token);
    }
    if (c == 't' || c == 'f' || c == 'n') {
        return read_word(c == 't' ? "true" : c == 'f' ? "false" : "null");
    }
    double ignored = 0.0;
    return is_digit(c) || c == '-' ? read_digits(ignored) : unexpected("a value");
}

bool JsonScanner::skip_value() {
    std::string closing;  // the brackets that are still to come, the innermost last
    for (;;) {
        const char c = next();
        const bool is_open = c == '{' || c == '[';
        if (is_open) {
            if (closing.size() == nesting_) {
                return fail(position(), position() + 1, fmt::format("brackets nest more than {} deep", nesting_),
                            "the limit is called nesting");
            }
            closing += c == '{' ? '}' : ']';
            advance(1);
        } else if (!skip_scalar()) {
            return false;
        }
        bool goes_on = false;  // another value follows within the same brackets
        if (is_open && !accept(closing.back())) {
            goes_on = true;
        } else {
            if (is_open) {
                closing.pop_back();
            }
            while (!goes_on && !closing.empty()) {
                bool done = false;
                if (!read_separator(closing.back(), done)) {
                    return false;
                }
                goes_on = !done;
                if (done) {
                    closing.pop_back();
                }
            }
        }
        if (!goes_on) {
            return true;
        }
        TextToken key;
        if (closing.back() == '}' && !read_key(key)) {
            return false;
        }
    }
}

}  // namespace tenrex
