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

ir::NodeId Patterns::origin(ir::NodeId id) const {
    // Operands come before what reads them, so nothing is asked for that is not there.
    while (origins_.size() <= id) {
        const auto next = static_cast<ir::NodeId>(origins_.size());
        const bool keeps = type(next).has_mapped() && ir::has_trait(graph_[next].op, ir::Trait::cell_by_cell);
        origins_.push_back(keeps ? common_origin(next).value_or(next) : next);
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

void fuse(ir::Graph &graph, std::vector<Remark> &remarks,
          const std::function<std::optional<Fused>(const Patterns &patterns, ir::NodeId id)> &find) {
    const Patterns patterns(graph, remarks);
    std::vector<Fused> fused;
    std::vector<std::uint32_t> fused_at(graph.size(), none);
    std::vector<bool> needed(graph.size());
    const auto operands_of = [&](ir::NodeId id) {
        return fused_at[id] == none ? graph[id].operands : std::span<const ir::NodeId>(fused[fused_at[id]].operands);
    };
    for (const ir::GraphOutput &output : graph.outputs()) {
        needed[output.node] = true;
    }
    for (auto id = static_cast<ir::NodeId>(graph.size()); id-- > 0;) {
        if (!needed[id]) {
            continue;
        }
        if (std::optional<Fused> found = find(patterns, id)) {
            fused_at[id] = static_cast<std::uint32_t>(fused.size());
            fused.push_back(*std::move(found));
        }
        for (const ir::NodeId operand : operands_of(id)) {
            needed[operand] = true;
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
