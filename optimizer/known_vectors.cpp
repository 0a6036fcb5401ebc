#include "optimizer/known_vectors.h"

#include <algorithm>
#include <array>

#include "lib/support/scalar_functions.h"
#include "lib/types/block_layout.h"

namespace tenrex::optimizer {

bool KnownVectors::may_be_known(ir::NodeId id) const {
    const ir::Node &node = graph_[id];
    if (node.stage != Stage::constant || node.type->has_mapped()) {
        return false;
    }
    // What users wrote may take its time.
    return node.op == ir::Op::constant || node.op == ir::Op::rename ||
           (ir::has_trait(node.op, ir::Trait::cell_by_cell) && node.op != ir::Op::user);
}

// Operands first, with a stack of its own: a sum may be as long as the text allows.
const std::vector<double> *KnownVectors::of(ir::NodeId root) {
    std::vector<ir::NodeId> pending{root};
    while (!pending.empty()) {
        const ir::NodeId id = pending.back();
        if (cells_.contains(id)) {
            pending.pop_back();
            continue;
        }
        const std::size_t count = graph_[id].type->block_cells();
        if (!may_be_known(id) || count > budget_) {
            cells_.emplace(id, std::nullopt);
            continue;
        }
        const std::size_t before = pending.size();
        for (const ir::NodeId operand : graph_[id].operands) {
            if (!cells_.contains(operand)) {
                pending.push_back(operand);
            }
        }
        if (pending.size() == before) {
            budget_ -= count;
            cells_.emplace(id, computed(graph_[id]));
        }
    }
    const Cells &cells = cells_.at(root);
    return cells ? &*cells : nullptr;
}

CellPlaces::CellPlaces(std::span<const Dimension> dimensions, const TensorType &value) {
    for (const Dimension &dimension : dimensions) {
        axes_.push_back({dimension.size, stride_of(value, dimension.name)});
    }
    find_same();
}

CellPlaces::CellPlaces(const ir::Node &node, const TensorType &operand) {
    const auto old_name = [&](const std::string &name) {
        if (node.op != ir::Op::rename) {
            return name;
        }
        const auto &[from, to] = node.as<ir::Rename>();
        const auto found = std::find(to.begin(), to.end(), name);
        return found == to.end() ? name : from[static_cast<std::size_t>(found - to.begin())];
    };
    for (const Dimension &dimension : node.type->dimensions()) {
        axes_.push_back({dimension.size, stride_of(operand, old_name(dimension.name))});
    }
    find_same();
}

void CellPlaces::find_same() noexcept {
    std::size_t stride = 1;
    is_same_ = std::all_of(axes_.rbegin(), axes_.rend(), [&](const Axis &axis) {
        const std::size_t own = stride;
        stride *= axis.size;
        return axis.stride == own;
    });
}

KnownVectors::Cells KnownVectors::computed(const ir::Node &node) const {
    std::array<const std::vector<double> *, 3> operands{};
    std::vector<CellPlaces> places;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Cells &operand = cells_.at(node.operands[i]);
        if (!operand) {
            return std::nullopt;
        }
        operands[i] = &*operand;
        places.emplace_back(node, *graph_[node.operands[i]].type);
    }
    const auto operand = [&](std::size_t number, std::size_t cell) {
        return (*operands[number])[places[number].of(cell)];
    };
    std::vector<double> cells(node.type->block_cells());
    // A loop of its own for each operation: there may be many cells.
    const auto fill = [&](const auto &cell) {
        visit_cell_type(node.type->cell_type(), [&]<class T>(T) {
            for (std::size_t i = 0; i < cells.size(); ++i) {
                cells[i] = static_cast<double>(to_cell<T>(cell(i)));
            }
        });
    };
    switch (node.op) {
        case ir::Op::constant: {
            const Tensor *const value = node.as<ir::Constant>().value.get();
            fill([&](std::size_t i) { return value == nullptr ? node.number() : value->cell(i); });
            break;
        }
        case ir::Op::apply: {
            const ScalarFunction function = node.as<ir::Apply>().function;
            if (operands[1] == nullptr) {
                fill([&](std::size_t i) { return apply(function, operand(0, i)); });
            } else {
                fill([&](std::size_t i) { return apply(function, operand(0, i), operand(1, i)); });
            }
            break;
        }
        case ir::Op::select:
            fill([&](std::size_t i) { return operand(0, i) != 0 ? operand(1, i) : operand(2, i); });
            break;
        case ir::Op::in_set: {
            const std::vector<double> &members = node.as<ir::InSet>().members;
            fill([&](std::size_t i) {
                return std::find(members.begin(), members.end(), operand(0, i)) != members.end() ? 1.0 : 0.0;
            });
            break;
        }
        default:  // the same cells
            fill([&](std::size_t i) { return operand(0, i); });
    }
    return cells;
}

}  // namespace tenrex::optimizer
