#include "lib/types/quoted_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/support/format.h"
#include "lib/types/characters.h"
#include "lib/types/utf8_text.h"

namespace tenrex {

namespace {

constexpr std::size_t longest_shown = 60;         // bytes of a text quoted in a message
constexpr std::size_t longest_shown_name = 1000;  // of a name
constexpr std::string_view known_escapes = R"(the escapes are \" \' \\ \f \n \r \t \xHH \uXXXX)";

// The character that `\c` stands for, or 0.
char simple_escape(char c) noexcept {
    switch (c) {
        case '"':
        case '\'':
        case '\\':
            return c;
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

// Reads \uXXXX or a surrogate pair at the start of `text`. Returns its length.
std::size_t unicode_escape(std::string_view text, std::string &out, std::string &problem) {
    const std::int32_t unit = hex_number(text.substr(2), 4);
    if (unit < 0) {
        problem = R"('\u' needs four hexadecimal digits)";
        return std::min<std::size_t>(text.size(), 6);
    }
    const auto code = static_cast<std::uint32_t>(unit);
    if (!is_high_surrogate(code) && !is_low_surrogate(code)) {
        append_utf8(out, code);
        return 6;
    }
    if (is_high_surrogate(code) && text.substr(6).starts_with("\\u")) {
        const std::int32_t second = hex_number(text.substr(8), 4);
        if (second >= 0 && is_low_surrogate(static_cast<std::uint32_t>(second))) {
            append_utf8(out, combine_surrogates(code, static_cast<std::uint32_t>(second)));
            return 12;
        }
    }
    problem = fmt::format("'{}' is half of a surrogate pair", text.substr(0, 6));
    return 6;
}

}  // namespace

std::size_t closing_quote(std::string_view text, std::size_t open) noexcept {
    const char quote = text[open];
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            return i;
        }
    }
    return std::string_view::npos;
}

std::optional<EscapeError> unescape(std::string_view body, std::string &out) {
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t plain = std::min(body.find('\\', at), body.size());
        out.append(body.substr(at, plain - at));
        at = plain;
        if (at == body.size()) {
            break;
        }
        const std::string_view rest = body.substr(at);
        const char kind = rest.size() > 1 ? rest[1] : '\0';
        if (const char plain_character = simple_escape(kind)) {
            out += plain_character;
            at += 2;
        } else if (kind == 'x') {
            const std::int32_t byte = hex_number(rest.substr(2), 2);
            if (byte < 0) {
                return EscapeError{at, std::min(at + 4, body.size()), R"('\x' needs two hexadecimal digits)", {}};
            }
            out += static_cast<char>(byte);
            at += 4;
        } else if (kind == 'u') {
            std::string problem;
            const std::size_t length = unicode_escape(rest, out, problem);
            if (!problem.empty()) {
                return EscapeError{at, at + length, std::move(problem), {}};
            }
            at += length;
        } else {
            const std::size_t length = 1 + std::max<std::size_t>(utf8_length(rest.substr(1)), rest.size() > 1);
            return EscapeError{at, at + length, fmt::format("unknown escape '{}'", clipped(rest.substr(0, length))),
                               std::string(known_escapes)};
        }
    }
    return std::nullopt;
}

void append_quoted(std::string &out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const char c = text.front();
        std::size_t length = utf8_length(text);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\r') {
            out += "\\r";
        } else if (c == '\f') {
            out += "\\f";
        } else if (length == 0 || (length == 1 && (c < 0x20 || c == 0x7f))) {
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
            length = 1;
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    out += '"';
}

void append_label(std::string &out, std::string_view label) {
    bool bare = !label.empty();
    for (char c : label) {
        bare = bare && is_name_char(c);
    }
    if (bare) {
        out += label;
    } else {
        append_quoted(out, label);
    }
}

namespace {

std::string clipped_at(std::string_view text, std::size_t most) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (out.size() + length > most) {
            out += "...";
            break;
        }
        const char c = text.front();
        if (length == 0 || (length == 1 && (c < 0x20 || c == 0x7f))) {
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

}  // namespace

std::string clipped(std::string_view text) {
    return clipped_at(text, longest_shown);
}

std::string clipped_name(std::string_view name) {
    return clipped_at(name, longest_shown_name);
}

}  // namespace tenrex
