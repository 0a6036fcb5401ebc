#include "lib/ir/index_vector.h"

namespace tenrex::ir {

std::optional<std::string> index_dimension(const Node &node) {
    if (node.op != Op::constant || !node.attributes->value || node.type->dimensions().size() != 1 ||
        node.type->has_mapped()) {
        return std::nullopt;
    }
    const Tensor &value = *node.attributes->value;
    for (std::size_t i = 0; i < value.cell_count(); ++i) {
        if (value.cell(i) != static_cast<double>(i)) {
            return std::nullopt;
        }
    }
    return node.type->dimensions()[0].name;
}

}  // namespace tenrex::ir
