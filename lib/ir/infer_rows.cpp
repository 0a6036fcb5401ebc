#include "lib/ir/infer_rows.h"

#include "lib/support/format.h"

namespace tenrex::ir {

Problem sized(OperandTypes operands, DimensionViews &result) {
    for (const TensorType *const operand : operands.subspan(1)) {
        if (operand->mapped_count() != 1) {
            return "compares numbers of rows that have not one label each";
        }
    }
    return same_as(*operands[0], result);
}

Problem appended(OperandTypes operands, const std::string &along, DimensionViews &result) {
    const Dimension *const rows = find(*operands[0], along);
    if (operands[0]->dimensions() != operands[1]->dimensions() || operands[0]->mapped_count() != 1 || rows == nullptr ||
        !rows->is_mapped()) {
        return fmt::format("appends what are not rows of dimension {}", along);
    }
    return same_as(*operands[0], result);
}

}  // namespace tenrex::ir
