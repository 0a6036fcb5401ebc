#include "lib/ir/infer_pack.h"

#include "lib/support/format.h"

namespace tenrex::ir {

Problem packed(OperandTypes operands, const Pack &pack, DimensionViews &result) {
    for (const TensorType *const operand : operands) {
        if (operand != operands[0] && operand->dimensions() != operands[0]->dimensions()) {
            return "its operands have different dimensions";
        }
    }
    same_as(*operands[0], result);
    std::size_t labels = 0;
    std::uint64_t cells = 1;
    for (const Dimension &dimension : pack.dimensions) {
        if (!insert(result, dimension.name, dimension.size)) {
            return fmt::format("its operands have dimension {} already", dimension.name);
        }
        labels += dimension.is_mapped() ? 1 : 0;
        cells *= dimension.is_mapped() ? 1 : dimension.size;
    }
    if (pack.cells.size() != operands.size()) {
        return "has not one place for each operand";
    }
    for (const PackCell &cell : pack.cells) {
        if (cell.block >= pack.addresses.size() || cell.index >= cells) {
            return "places an operand outside of its type";
        }
    }
    for (const std::vector<std::string> &address : pack.addresses) {
        if (address.size() != labels) {
            return fmt::format("has an address of {} labels, not {}", address.size(), labels);
        }
    }
    return std::nullopt;
}

}  // namespace tenrex::ir
