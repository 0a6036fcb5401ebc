#include "lib/ir/index_vector.h"

namespace tenrex::ir {

bool holds_indexes(const Tensor &value) {
    if (value.type().dimensions().size() != 1 || value.type().has_mapped()) {
        return false;
    }
    for (std::size_t i = 0; i < value.cell_count(); ++i) {
        if (value.cell(i) != static_cast<double>(i)) {
            return false;
        }
    }
    return true;
}

std::optional<std::string> index_dimension(const Node &node) {
    return node.holds_indexes ? std::optional(node.type->dimensions()[0].name) : std::nullopt;
}

}  // namespace tenrex::ir
