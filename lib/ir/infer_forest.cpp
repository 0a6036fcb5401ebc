#include "lib/ir/infer_forest.h"

#include <cstdint>

#include "lib/forest/forest.h"
#include "lib/ir/dimension_views.h"
#include "lib/support/format.h"

namespace tenrex::ir {

std::optional<std::string> of_forest(OperandTypes operands, const Forest &own, DimensionViews &result) {
    if (!own.forest) {
        return "has no trees";
    }
    if (own.has_base) {
        if (operands.empty() || !operands.back()->is_scalar() || own.forest->outputs != 1) {
            return "begins with what is no number, or has several outputs";
        }
        operands = operands.first(operands.size() - 1);
    }
    std::uint64_t features = 0;
    for (const TensorType *const operand : operands) {
        if (operand->has_mapped()) {
            return "has features under labels";
        }
        features += operand->block_cells();
    }
    if (features != own.forest->feature_names.size()) {
        return fmt::format("has {} features, not {}", features, own.forest->feature_names.size());
    }
    if (own.dimension.empty() != (own.forest->outputs == 1)) {
        return "has a dimension for one output, or none for several";
    }
    result.clear();
    if (!own.dimension.empty()) {
        insert(result, own.dimension, own.forest->outputs);
    }
    return std::nullopt;
}

}  // namespace tenrex::ir
