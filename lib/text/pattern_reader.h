// The smallest parts of a regular expression: characters, escapes, sets, numbers. What is left to ICU, which also knows
// what is wrong with an expression, throws NotInProgram.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lib/text/pattern_set.h"

namespace tenrex::text {

struct NotInProgram {};

class PatternReader {
public:
    explicit PatternReader(std::string_view expression) noexcept : rest_(expression) {}

    bool is_at_end() const noexcept { return rest_.empty(); }
    bool is_at(std::string_view text) const noexcept { return rest_.substr(0, text.size()) == text; }
    bool take(std::string_view text) noexcept;
    std::uint32_t number(std::uint32_t most);

    // One set: in brackets, an escape, or a character. `character` is what it is if it is one that was written.
    CharacterSet set(bool any_case, std::optional<char32_t> &character);

private:
    char32_t next();
    char32_t escaped_character();
    char32_t hexadecimal(std::size_t digits);
    bool take_class(CharacterSet &set);
    void take_category(CharacterSet &set);
    char32_t bracket_character();
    CharacterSet brackets(bool any_case);

    std::string_view rest_;
};

}  // namespace tenrex::text
