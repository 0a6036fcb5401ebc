// Cells as hexadecimal digits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tenrex/tensor.h>

namespace tenrex {

// What is wrong with the digits from begin to end.
struct HexProblem {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string message;
    std::string hint;
};

// Checks that the text holds one block of the type in digits, and tells which cell type their number speaks of.
std::optional<HexProblem> check_hex(std::string_view digits, const TensorType &type, CellType &written_as);

// Cell number `index` of digits that were checked.
double hex_cell(std::string_view digits, CellType written_as, std::size_t index) noexcept;

// Appends the cells from `begin` to `end`.
void append_hex(std::string &out, const TensorView &tensor, std::size_t begin, std::size_t end);

}  // namespace tenrex
