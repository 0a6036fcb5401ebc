// Texts from a file of lines {"text": "...", "pair": "..."}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenrex/result.h>

#include "tools/input.h"

namespace tenrex::tool {

struct TextLine {
    std::string text;
    std::optional<std::string> pair;
};

// Whether a line must have a pair, or may not have one; `ignored`: it is passed over.
enum class PairUse : std::uint8_t { forbidden, needed, any, ignored };

// Other members are passed over.
Result<TextLine> read_text_line(std::string_view line, PairUse pair);

// The lines of a file, in bounded memory; blank ones are passed over.
class TextLines {
public:
    TextLines(const File &file, PairUse pair) : file_(file), pair_(pair), lines_(file.descriptor(), longest_line) {}

    // Nothing at the end. Error: with the name of the file and the number of the line.
    Result<std::optional<TextLine>> next();
    // Of the line that next() gave.
    std::size_t line_number() const noexcept { return lines_.line_number(); }
    // An error of that line.
    Error error_at_line(const Error &error) const;
    // Whether the error was that the file cannot be read.
    bool failed() const noexcept { return failed_; }

private:
    const File &file_;
    PairUse pair_;
    LineReader lines_;
    bool failed_ = false;
};

}  // namespace tenrex::tool
