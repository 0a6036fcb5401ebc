// Operations that apply a tensor function to each dense block.
#include <optional>

#include "lib/reference/operations.h"
#include "lib/support/format.h"

namespace tenrex::reference {

namespace {

// One dense block as a value of its own.
Value subspace(Workspace &workspace, const TensorType &type, const Blocks &blocks, std::size_t block) {
    const std::span<const double> cells = blocks.cells(block);
    if (type.is_scalar()) {
        return blocks.at(block, 0);
    }
    Blocks copy(workspace.budget, type);
    copy.append({});
    for (std::size_t i = 0; i < cells.size(); ++i) {
        copy.set(0, i, blocks.at(block, i));
    }
    copy.add_origin(blocks.origin());
    return Value(std::move(copy));
}

}  // namespace

Value map_subspaces(Workspace &workspace, const SubspaceType &result, const TensorType &block, const Value &operand,
                    const SubspaceFunction &lambda) {
    const BlockView source(workspace, operand);
    std::optional<Blocks> target;
    Origin origin;
    for (std::size_t i = 0; i < source->count(); ++i) {
        workspace.budget.take_steps(block.block_cells());
        const Value value = lambda(subspace(workspace, block, *source, i));
        const bool is_number = value.blocks() == nullptr;
        const BlockView mapped(workspace, value);
        const TensorType &type = result(value);
        if (!target) {
            target.emplace(workspace.budget, type);
        } else if (target->type() != type) {
            throw Failure{fmt::format("the lambda gives a {} for one block and a {} for another",
                                      target->type().to_string(), type.to_string()),
                          "all blocks of a value have the same sizes"};
        }
        workspace.budget.take_steps(type.block_cells());
        target->append(source->address(i));
        for (std::size_t cell = 0; cell < type.block_cells(); ++cell) {
            // Plans may compute a number in the cell type that it is stored as.
            const Number number = mapped->at(0, cell);
            target->set(i, cell, is_number ? narrowed(type.cell_type(), number) : number);
        }
        origin = i == 0 ? mapped->origin() : combined(origin, mapped->origin());
    }
    if (!target) {
        // The sizes are those that a block of zeros would give.
        Blocks zeros(workspace.budget, block);
        zeros.append({});
        const TensorType &type = result(0.0);
        target.emplace(workspace.budget, type.has_open() ? result(lambda(Value(std::move(zeros)))) : type);
    }
    target->add_origin(origin);
    return Value(*std::move(target));
}

Value filter_subspaces(Workspace &workspace, const TensorType &result, const TensorType &block, const Value &operand,
                       const SubspaceFunction &lambda) {
    const BlockView source(workspace, operand);
    Blocks target(workspace.budget, result);
    bool vague = false;  // whether rounding decides of some block
    for (std::size_t i = 0; i < source->count(); ++i) {
        workspace.budget.take_steps(block.block_cells());
        const Number condition = lambda(subspace(workspace, block, *source, i)).number();
        vague |= may_be_either(condition);
        if (condition.value == 0.0) {
            continue;
        }
        const std::size_t kept = target.append(source->address(i));
        for (std::size_t cell = 0; cell < result.block_cells(); ++cell) {
            target.set(kept, cell, source->at(i, cell));
        }
    }
    target.add_origin(source->origin());
    if (vague) {
        target.forget();
    }
    return Value(std::move(target));
}

}  // namespace tenrex::reference
