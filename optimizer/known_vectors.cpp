#include "optimizer/known_vectors.h"

#include <algorithm>
#include <array>

#include "lib/support/scalar_functions.h"

namespace tenrex::optimizer {

bool KnownVectors::may_be_known(ir::NodeId id) const {
    const ir::Node &node = graph_[id];
    if (node.stage != Stage::constant || node.type->has_mapped() || node.type->dimensions().size() > 1) {
        return false;
    }
    // What users wrote may take its time.
    return node.op == ir::Op::constant || (ir::has_trait(node.op, ir::Trait::cell_by_cell) && node.op != ir::Op::user);
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

KnownVectors::Cells KnownVectors::computed(const ir::Node &node) const {
    std::array<const std::vector<double> *, 3> operands{};
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Cells &operand = cells_.at(node.operands[i]);
        if (!operand) {
            return std::nullopt;
        }
        operands[i] = &*operand;
    }
    // A number goes with every cell.
    const auto operand = [&](std::size_t number, std::size_t cell) {
        const std::vector<double> &cells = *operands[number];
        return cells[cells.size() == 1 ? 0 : cell];
    };
    const auto cell = [&](std::size_t i) {
        switch (node.op) {
            case ir::Op::constant:
                return node.is_number() ? node.number() : node.as<ir::Constant>().value->cell(i);
            case ir::Op::apply:
                return operands[1] == nullptr ? apply(node.as<ir::Apply>().function, operand(0, i))
                                              : apply(node.as<ir::Apply>().function, operand(0, i), operand(1, i));
            case ir::Op::select:
                return operand(0, i) != 0 ? operand(1, i) : operand(2, i);
            case ir::Op::in_set: {
                const std::vector<double> &members = node.as<ir::InSet>().members;
                return std::find(members.begin(), members.end(), operand(0, i)) != members.end() ? 1.0 : 0.0;
            }
            default:  // the same cells
                return operand(0, i);
        }
    };
    std::vector<double> cells(node.type->block_cells());
    visit_cell_type(node.type->cell_type(), [&]<class T>(T) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i] = static_cast<double>(to_cell<T>(cell(i)));
        }
    });
    return cells;
}

}  // namespace tenrex::optimizer
