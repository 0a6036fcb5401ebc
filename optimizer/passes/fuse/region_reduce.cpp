// Rows of what a region computes are aggregated tile by tile, and the cells are not stored.
#include <memory>
#include <utility>

#include "optimizer/passes/passes.h"
#include "optimizer/regions.h"

namespace tenrex::optimizer {

std::optional<Fused> fuse_region_reduce(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &reduction = patterns[id];
    if (patterns[reduction.operands[0]].op != ir::Op::region) {
        return std::nullopt;
    }
    const ir::Node &region = patterns[reduction.operands[0]];
    const ir::Graph &body = *region.as<ir::Region>().body;
    if (!aggregates_rows(patterns, id)) {
        return patterns.refuse(
            id, "the cells that become one are few, do not follow each other, or are all needed at once");
    }
    if (patterns.uses(reduction.operands[0]) != 1 || body.outputs().size() != 1) {
        return patterns.refuse(id, "something else reads what the region computes");
    }
    if (reduction.stage != region.stage) {
        return std::nullopt;
    }
    auto reduced = std::make_shared<ir::Graph>(body.reachable());
    const ir::NodeId computed = reduced->outputs().front().node;
    reduced->redirect_output(
        0, reduced->add(ir::Op::reduce, *reduction.type, {&computed, 1}, *reduction.payload, reduction.span));
    return Fused{ir::Op::region, {region.operands.begin(), region.operands.end()}, ir::Region{std::move(reduced)}};
}

}  // namespace tenrex::optimizer
