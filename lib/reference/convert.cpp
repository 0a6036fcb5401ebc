#include "lib/reference/operations.h"

namespace tenrex::reference {

BlockView::BlockView(Workspace &workspace, Value value) : value_(std::move(value)), blocks_(value_.blocks()) {
    if (blocks_ == nullptr) {
        static const TensorType scalar;
        scalar_.emplace(workspace.budget, scalar);
        scalar_->append({});
        scalar_->set(0, 0, value_.number());
        blocks_ = &*scalar_;
    }
}

Value from_tensor(Workspace &workspace, const TensorType &type, const Tensor &tensor) {
    if (type.is_scalar()) {
        return tensor.as_double();
    }
    Blocks blocks(workspace.budget, type);
    workspace.budget.take_steps(tensor.cell_count());
    std::vector<LabelId> address(type.mapped_count());
    for (std::size_t block = 0; block < tensor.blocks(); ++block) {
        for (std::size_t i = 0; i < address.size(); ++i) {
            address[i] = workspace.labels.intern(tensor.label(block, i));
        }
        blocks.append(address);
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            blocks.set(block, i, tensor.cell(block * type.block_cells() + i));
        }
    }
    return Value(std::move(blocks));
}

Tensor to_tensor(const Workspace &workspace, const TensorType &type, const Value &value) {
    if (value.blocks() == nullptr) {
        return Tensor(value.number());
    }
    const Blocks &blocks = *value.blocks();
    TensorBuilder builder(type);
    std::vector<std::string_view> address(type.mapped_count());
    for (std::size_t block = 0; block < blocks.count(); ++block) {
        for (std::size_t i = 0; i < address.size(); ++i) {
            address[i] = workspace.labels.text(blocks.address(block)[i]);
        }
        const std::size_t target = builder.block(address);
        const std::span<const double> cells = blocks.cells(block);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            builder.set(target, i, cells[i]);
        }
    }
    return std::move(builder).build();
}

}  // namespace tenrex::reference
