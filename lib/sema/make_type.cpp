#include "lib/sema/make_type.h"

#include <limits>
#include <utility>

namespace tenrex::sema {

TypeOrProblem make_type(CellType cell_type, std::vector<Dimension> dimensions, const Limits &limits) {
    if (dimensions.empty()) {
        return TensorType();
    }
    Result<TensorType> type = TensorType::make(cell_type, std::move(dimensions), limits);
    if (!type) {
        const Issue &issue = type.error().issues().front();
        return TypeProblem{issue.message, issue.hint};
    }
    return *std::move(type);
}

TypeOrProblem make_type(CellType cell_type, std::vector<Dimension> dimensions) {
    Limits limits;
    limits.dimensions = std::numeric_limits<decltype(limits.dimensions)>::max();
    limits.block_cells = std::numeric_limits<decltype(limits.block_cells)>::max();
    return make_type(cell_type, std::move(dimensions), limits);
}

TensorType make_known_type(CellType cell_type, std::vector<Dimension> dimensions) {
    return std::get<TensorType>(make_type(cell_type, std::move(dimensions)));
}

}  // namespace tenrex::sema
