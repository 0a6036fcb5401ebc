// Texts between quotes: strings and labels. This is the one place that knows their escapes:
// \" \' \\ \f \n \r \t, \xHH (one byte), \uXXXX (a UTF-16 unit; two of them may make a surrogate pair).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenrex {

// Where the quoted text ends that begins with the quote at `open`: the position of its closing quote, or npos.
std::size_t closing_quote(std::string_view text, std::size_t open) noexcept;

// What is wrong with an escape, and where: bytes begin to end of the text that was unescaped.
struct EscapeError {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string message;
    std::string hint;
};
// Appends what stands between two quotes, with its escapes replaced.
std::optional<EscapeError> unescape(std::string_view body, std::string &out);

// Appends the text in double quotes. Bytes that are not UTF-8 and control characters are escaped, so what comes out is
// UTF-8 on one line whatever the text holds.
void append_quoted(std::string &out, std::string_view text);
// Appends a label bare if it may be, else in quotes; see quoted_label in <tenrex/formats.h>.
void append_label(std::string &out, std::string_view label);

// The text as it can stand in a message: on one line and not too long.
std::string clipped(std::string_view text);
// A name that a user may want to copy: of the usual lengths it is whole.
std::string clipped_name(std::string_view name);

}  // namespace tenrex
