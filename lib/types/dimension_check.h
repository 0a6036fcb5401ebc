// What the dimensions of a type must fulfil, in one place for types that are read and types that are made.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <tenrex/limits.h>
#include <tenrex/tensor_type.h>

namespace tenrex {

struct DimensionProblem {
    std::size_t dimension = 0;  // which one; the number of dimensions if it is none in particular
    std::string message;
    std::string hint;
};

std::optional<DimensionProblem> check_dimensions(CellType cell_type, std::span<const Dimension> dimensions,
                                                 const Limits &limits);

}  // namespace tenrex
