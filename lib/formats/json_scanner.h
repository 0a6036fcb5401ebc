// Reads JSON token by token, on demand. A reader that asks for tokens can come back to a part it has passed (the type
// may follow the content), knows the place of every token for its messages, and nests no deeper than its own calls.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenrex/limits.h>

#include "lib/types/text_reader.h"

namespace tenrex {

class JsonScanner : public TextReader {
public:
    JsonScanner(std::string_view json, const Limits &limits) noexcept
        : TextReader(json, Space::json), nesting_(limits.nesting) {}

    // Each reads what stands next, or fails and returns false.
    bool read_string(TextToken &token);
    // A string and the ':' behind it.
    bool read_key(TextToken &token);
    // A number, null for NaN, or one of the strings for NaN and the infinities.
    bool read_number(double &value);
    // Goes beyond a value of any kind.
    bool skip_value();

private:
    bool read_escape(std::string &out);
    bool read_digits(double &value);
    bool read_word(std::string_view word);
    bool skip_scalar();

    std::size_t nesting_;
};

}  // namespace tenrex
