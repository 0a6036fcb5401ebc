// The cells of a line of a table with commas between them (RFC 4180; no cell goes on in the next line).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

namespace tenrex::tool {

struct CsvCell {
    std::string text;       // without quotes, and without the blanks around what is outside of them
    std::size_t begin = 0;  // where it is in the line, in bytes
};

// A cell in double quotes may hold commas; a quote within it is written twice. Error: a quoted cell does not end.
Result<std::vector<CsvCell>> csv_cells(std::string_view line);

}  // namespace tenrex::tool
