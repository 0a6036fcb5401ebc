#include "lib/reference/operations.h"

namespace tenrex::reference {

Value literal(Workspace &workspace, const TensorType &result, std::span<const sema::LiteralCellExpr> cells,
              std::span<const Value> values) {
    workspace.budget.take_steps(cells.size());
    Blocks target(workspace.budget, result);
    AddressIndex index;
    std::vector<LabelId> address(result.mapped_count());
    if (address.empty()) {
        index.find_or_add(address);
        target.append(address);
    }
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        for (std::size_t i = 0; i < address.size(); ++i) {
            address[i] = workspace.labels.intern(cells[cell].labels[i]);
        }
        const std::size_t block = index.find_or_add(address);
        if (block == target.count()) {
            target.append(address);
        }
        target.set(block, cells[cell].index, values[cell].number());
    }
    return Value(std::move(target));
}

}  // namespace tenrex::reference
