#include "lib/types/derived_type.h"

#include <limits>
#include <stdexcept>
#include <utility>

namespace tenrex {

Limits no_limits() noexcept {
    Limits none;
    none.dimensions = std::numeric_limits<decltype(none.dimensions)>::max();
    none.block_cells = std::numeric_limits<decltype(none.block_cells)>::max();
    return none;
}

Result<TensorType> derived_type(CellType cell_type, std::vector<Dimension> dimensions) {
    if (dimensions.empty()) {
        return TensorType();
    }
    return TensorType::make(cell_type, std::move(dimensions), no_limits());
}

TensorType known_type(CellType cell_type, std::vector<Dimension> dimensions) {
    Result<TensorType> type = derived_type(cell_type, std::move(dimensions));
    if (!type) {
        throw std::length_error(type.error().message());
    }
    return *std::move(type);
}

TensorType smallest_type(const TensorType &declared) {
    std::vector<Dimension> dimensions = declared.dimensions();
    for (Dimension &dimension : dimensions) {
        dimension = dimension.is_open() ? Dimension::indexed(dimension.name, 0) : dimension;
    }
    return known_type(declared.cell_type(), std::move(dimensions));
}

}  // namespace tenrex
