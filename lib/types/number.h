// Numbers as text, both ways, independent of locales. What is written reads back to the same cell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/cell_type.h>
#include <tenrex/export.h>

namespace tenrex {

struct NumberText {
    double value = 0.0;
    std::size_t length = 0;  // 0: the text does not begin with a number
};

// Reads decimal digits, with a fraction and an exponent if there are, at the start of the text: no sign, and a digit
// comes first. Numbers beyond double become infinity, those too small for it 0.
NumberText read_decimal(std::string_view text) noexcept;

// Reads a number of a value at the start of the text: a sign or none, then decimal digits or nan, inf, infinity in any
// case. The fraction may stand without digits before it.
NumberText read_number(std::string_view text) noexcept;

// Reads nothing but nan, inf or infinity, in any case, with a sign or without, as the whole text.
bool read_special_number(std::string_view text, double &value) noexcept;

// Appends a number with the fewest digits that read back to the same double. 1e+06 is written as 1000000.
void append_number(std::string &out, double value);

// Writes cells of an array, which need not be aligned, with the fewest digits that read back to the same cell.
class CellWriter {
public:
    // count: about how many cells will be written.
    CellWriter(CellType type, const void *cells, std::size_t count);

    void append(std::string &out, std::size_t index);

private:
    template <class T>
    double decimal(T cell);

    CellType type_;
    const void *cells_;
    std::vector<double> known_;  // of each cell of two bytes: its shortest decimal, which is slow to find, or 0
};

// Reads and writes one cell of an array of cells, which need not be aligned.
TENREX_EXPORT double load_cell(CellType type, const void *cells, std::size_t index) noexcept;
TENREX_EXPORT void store_cell(CellType type, void *cells, std::size_t index, double value) noexcept;

}  // namespace tenrex
