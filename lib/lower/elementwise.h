// A kernel over the cells of operands that are joined.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "lib/lower/context.h"
#include "lib/program/layout.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

// Cells of each operand from one cell to the next along the dimensions of the result.
template <std::size_t arrays>
program::LoopNest<arrays> joined_nest(const TensorType &result, std::span<const Operand> operands) {
    program::LoopNest<arrays> nest;
    for (const Dimension &dimension : result.dimensions()) {
        if (dimension.is_mapped()) {
            continue;
        }
        std::array<std::ptrdiff_t, arrays> strides{};
        strides[0] = static_cast<std::ptrdiff_t>(stride_of(result, dimension.name));
        for (std::size_t i = 0; i < operands.size(); ++i) {
            strides[i + 1] = static_cast<std::ptrdiff_t>(stride_of(*operands[i].type, dimension.name));
        }
        nest.add(dimension.size, strides);
    }
    return nest;
}

// Over the cells of a result: where those of a value with some of its dimensions are.
inline program::LoopNest<1> nest_of(const TensorType &result, const TensorType &value) {
    program::LoopNest<1> nest;
    for (const Dimension &dimension : result.dimensions()) {
        if (dimension.is_indexed()) {
            nest.add(dimension.size, {static_cast<std::ptrdiff_t>(stride_of(value, dimension.name))});
        }
    }
    return nest;
}

// The node has the type of the result; the operation is computed in the cell type and rounded to that of the node.
Value elementwise(Context &context, const ir::Node &node, kernels::ElementwiseOperation operation,
                  std::span<const Operand> operands, CellType cell_type);
// The cell type that a kernel computes an apply or multiply_add in.
CellType computed_in(const Context &context, const ir::Node &node);

}  // namespace tenrex::lower
