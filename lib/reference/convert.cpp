#include <algorithm>

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

namespace {

// cell(block, index) is stored.
template <class Cell>
Tensor tensor_of(const Workspace &workspace, const TensorType &type, const Blocks &blocks, const Cell &cell) {
    TensorBuilder builder(type);
    std::vector<std::string_view> address(type.mapped_count());
    for (std::size_t block = 0; block < blocks.count(); ++block) {
        for (std::size_t i = 0; i < address.size(); ++i) {
            address[i] = workspace.labels.text(blocks.address(block)[i]);
        }
        const std::size_t target = builder.block(address);
        for (std::size_t i = 0; i < type.block_cells(); ++i) {
            builder.set(target, i, cell(block, i));
        }
    }
    return std::move(builder).build();
}

}  // namespace

Tensor to_tensor(const Workspace &workspace, const Value &value) {
    if (value.blocks() == nullptr) {
        return Tensor(value.number().value);
    }
    const Blocks &blocks = *value.blocks();
    return tensor_of(workspace, blocks.type(), blocks,
                     [&](std::size_t block, std::size_t i) { return blocks.cells(block)[i]; });
}

Tensor errors_to_tensor(const Workspace &workspace, const Value &value) {
    if (value.blocks() == nullptr) {
        return Tensor(value.number().error);
    }
    const Blocks &blocks = *value.blocks();
    const TensorType in_double = *TensorType::make(CellType::f64, blocks.type().dimensions());
    return tensor_of(workspace, in_double, blocks,
                     [&](std::size_t block, std::size_t i) { return blocks.at(block, i).error; });
}

namespace {

Blocks copy_of(Workspace &workspace, const Blocks &source) {
    Blocks copy(workspace.budget, source.type());
    for (std::size_t block = 0; block < source.count(); ++block) {
        copy.append(source.address(block));
        for (std::size_t i = 0; i < source.type().block_cells(); ++i) {
            copy.set(block, i, source.at(block, i));
        }
    }
    copy.add_origin(source.origin());
    return copy;
}

Number either_number(Number chosen, Number other) noexcept {
    chosen.error = std::max(chosen.error, distance(chosen.value, other.value) + other.error);
    return chosen;
}

}  // namespace

Value forgotten(Workspace &workspace, const Value &value) {
    if (value.blocks() == nullptr) {
        return Number{value.number().value, undetermined};
    }
    Blocks copy = copy_of(workspace, *value.blocks());
    copy.forget();
    return Value(std::move(copy));
}

Value either(Workspace &workspace, const Value &chosen, const Value &other) {
    if (chosen.blocks() == nullptr) {
        return either_number(chosen.number(), other.number());
    }
    const Blocks &source = *other.blocks();
    if (source.type() != chosen.blocks()->type()) {
        return forgotten(workspace, chosen);  // another size
    }
    AddressIndex index;
    for (std::size_t block = 0; block < source.count(); ++block) {
        index.find_or_add(source.address(block));
    }
    Blocks copy = copy_of(workspace, *chosen.blocks());
    for (std::size_t block = 0; block < copy.count(); ++block) {
        const auto same = index.find(copy.address(block));
        if (!same || copy.count() != source.count()) {
            return forgotten(workspace, chosen);
        }
        for (std::size_t i = 0; i < copy.type().block_cells(); ++i) {
            copy.set(block, i, either_number(copy.at(block, i), source.at(*same, i)));
        }
    }
    if (copy.count() != source.count()) {
        return forgotten(workspace, chosen);
    }
    copy.add_origin(combined(copy.origin(), source.origin()));
    return Value(std::move(copy));
}

}  // namespace tenrex::reference
