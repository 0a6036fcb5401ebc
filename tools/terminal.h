// What the program knows of the terminal it writes to, and how it tells people that something is wrong.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenrex/issue.h>

namespace tenrex::tool {

enum class ColorMode { automatic, always, never };

// Whether text on that descriptor is to be coloured: with `automatic`, if it is a terminal other than a dumb one and
// the environment variable NO_COLOR is not set.
bool use_color(ColorMode mode, int descriptor);
bool is_terminal(int descriptor);
// Columns of the terminal on that descriptor, else those that COLUMNS names, else 80.
std::size_t terminal_width(int descriptor);

// Sets how the functions below colour what they print; `automatic` until then.
void set_color_mode(ColorMode mode);
ColorMode color_mode();

// Print to standard error: "tenrex: message", all issues of an error with excerpts, warnings.
void print_failure(std::string_view message);
void print_error(const Error &error);
void print_warning(const Issue &issue, std::string_view source_name = {});
void print_warning(std::string_view message);

}  // namespace tenrex::tool
