#include "optimizer/fuse.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace tenrex::optimizer {

namespace {

// More of them tell nobody anything.
constexpr std::size_t most_remarks = 16;

constexpr std::uint32_t none = ~std::uint32_t{0};

}  // namespace

bool has_same_labels(const TensorType &a, const TensorType &b) {
    const auto has_all = [](const TensorType &type, const TensorType &other) {
        return std::all_of(type.dimensions().begin(), type.dimensions().end(), [&](const Dimension &dimension) {
            const auto found = other.find(dimension.name);
            return dimension.is_indexed() || (found && other.dimensions()[*found].is_mapped());
        });
    };
    return has_all(a, b) && has_all(b, a);
}

Patterns::Patterns(const ir::Graph &graph, PassRun &run)
    : graph_(graph), uses_(run.uses), addresses_(graph), remarks_(run.remarks) {}

std::optional<ir::NodeId> Patterns::common_origin(ir::NodeId id) const {
    std::optional<ir::NodeId> common;
    for (const ir::NodeId operand : graph_[id].operands) {
        if (type(operand).has_mapped()) {
            const ir::NodeId own = origin(operand);
            if (common && *common != own) {
                return std::nullopt;
            }
            common = own;
        }
    }
    return common;
}

bool Patterns::keeps_addresses(ir::NodeId id) const {
    const ir::Node &node = graph_[id];
    if (!node.type->has_mapped()) {
        return false;
    }
    if (!ir::has_trait(node.op, ir::Trait::cell_by_cell) && !ir::has_trait(node.op, ir::Trait::block_by_block)) {
        return false;
    }
    if (node.op == ir::Op::rename) {
        return node.type->mapped_count() == 1 && graph_[node.operands[0]].stage == node.stage;  // two may change places
    }
    if (node.op == ir::Op::peek && node.operands.size() != 1) {
        return false;  // what is computed for each cell may choose another block
    }
    return std::all_of(node.operands.begin(), node.operands.end(),
                       [&](ir::NodeId operand) { return !type(operand).has_mapped() || keeps_addresses(operand, id); });
}

bool Patterns::keeps_addresses(ir::NodeId operand, ir::NodeId result) const {
    return graph_[operand].stage == graph_[result].stage && has_same_labels(type(operand), type(result));
}

ir::NodeId Patterns::origin(ir::NodeId id) const {
    // Operands come before what reads them, so nothing is asked for that is not there.
    while (origins_.size() <= id) {
        const auto next = static_cast<ir::NodeId>(origins_.size());
        if (graph_[next].op == ir::Op::attention && keeps_addresses(graph_[next].operands[0], next)) {
            origins_.push_back(origin(graph_[next].operands[0]));  // that of the queries
        } else {
            origins_.push_back(keeps_addresses(next) ? common_origin(next).value_or(next) : next);
        }
    }
    return origins_[id];
}

std::nullopt_t Patterns::refuse(ir::NodeId id, std::string_view reason) const {
    Remark remark{graph_[id].op, *graph_[id].type, reason};
    if (remarks_.size() < most_remarks && std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) {
        remarks_.push_back(std::move(remark));
    }
    return std::nullopt;
}

void fuse(ir::Graph &graph, PassRun &run, ir::OpSet ends,
          const std::function<std::optional<Fused>(const Patterns &patterns, ir::NodeId id)> &find) {
    const Patterns patterns(graph, run);
    std::vector<Fused> fused;
    std::vector<std::uint32_t> fused_at;  // from the first one on, as `needed`
    std::vector<bool> needed;
    const auto operands_of = [&](ir::NodeId id) {
        return fused_at[id] == none ? graph[id].operands : std::span<const ir::NodeId>(fused[fused_at[id]].operands);
    };
    const auto need_operands = [&](ir::NodeId id) {
        for (const ir::NodeId operand : operands_of(id)) {
            needed[operand] = true;
        }
    };
    for (auto id = static_cast<ir::NodeId>(graph.size()); id-- > 0;) {
        if (fused.empty() ? patterns.uses(id) == 0 : !needed[id]) {
            continue;
        }
        const bool may_end = (ir::op_set(graph[id].op) & ends) != 0;
        if (std::optional<Fused> found = may_end ? find(patterns, id) : std::nullopt) {
            if (fused.empty()) {  // most graphs have none, and then nobody asks for more than the uses
                fused_at.resize(graph.size(), none);
                needed.resize(graph.size());
                for (const ir::GraphOutput &output : graph.outputs()) {
                    needed[output.node] = true;
                }
                for (auto later = static_cast<ir::NodeId>(graph.size()); later-- > id + 1;) {
                    if (needed[later]) {
                        need_operands(later);
                    }
                }
            }
            fused_at[id] = static_cast<std::uint32_t>(fused.size());
            fused.push_back(*std::move(found));
        }
        if (!fused.empty()) {
            need_operands(id);
        }
    }
    if (fused.empty()) {
        return;
    }
    std::vector<ir::NodeId> standing(needed.size());
    std::vector<ir::NodeId> operands;
    for (ir::NodeId id = 0; id < needed.size(); ++id) {
        if (!needed[id]) {
            continue;
        }
        operands.clear();
        bool changed = false;
        for (const ir::NodeId operand : operands_of(id)) {
            operands.push_back(standing[operand]);
            changed |= standing[operand] != operand;
        }
        if (fused_at[id] != none) {
            Fused &found = fused[fused_at[id]];
            standing[id] = graph.add(found.op, *graph[id].type, operands, std::move(found.payload), graph[id].span);
        } else {
            standing[id] = changed ? graph.with_operands(id, operands) : id;
        }
    }
    for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
        graph.redirect_output(i, standing[graph.outputs()[i].node]);
    }
}

}  // namespace tenrex::optimizer
