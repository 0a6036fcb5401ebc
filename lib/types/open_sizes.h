// The sizes of open dimensions, told from the cells that are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenrex/tensor_type.h>

namespace tenrex {

// What the text does not tell.
struct SizeProblem {
    std::string message;
    std::string hint;
};

// The type of a value whose cells are written so: lists inside each other, one flat list, or hexadecimal digits. order:
// the places of the dimensions in the type, as the lists nest. The sizes are those of the first lists; whether others
// agree is found when the cells are read.
std::variant<TensorType, SizeProblem> type_of_cells(std::string_view cells, const TensorType &open,
                                                    const std::vector<std::size_t> &order);
// The same of hexadecimal digits alone.
std::variant<TensorType, SizeProblem> type_of_digits(std::uint64_t digits, const TensorType &open);

}  // namespace tenrex
