// An aggregate of a join of labels that nothing else reads: the blocks that go together are found, computed and
// aggregated by one step, and the join is not stored.
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

std::optional<Fused> fuse_join_reduce(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &node = patterns[id];
    const auto &[aggregator, dimensions] = node.as<ir::Reduce>();
    const ir::Node &joined = patterns[node.operands[0]];
    const bool counts = aggregator == Aggregator::count;
    const bool is_join = joined.op == ir::Op::apply || (joined.op == ir::Op::join_addresses && counts);
    if (!is_join || joined.operands.size() != 2 || !patterns.type(joined.operands[0]).has_mapped() ||
        !patterns.type(joined.operands[1]).has_mapped() || joined.type->mapped_count() == node.type->mapped_count()) {
        return std::nullopt;
    }
    if (patterns.common_origin(node.operands[0])) {
        return patterns.refuse(id, "the operands of what it reduces have the same addresses");
    }
    if (aggregator == Aggregator::median) {
        return patterns.refuse(id, "a median needs all cells at once");
    }
    if (patterns.uses(node.operands[0]) != 1) {
        return patterns.refuse(id, "something else reads the join");
    }
    const auto function = counts ? std::nullopt : std::optional(joined.as<ir::Apply>().function);
    return Fused{ir::Op::join_reduce,
                 {joined.operands.begin(), joined.operands.end()},
                 ir::JoinReduce{function, joined.type->cell_type(), aggregator, dimensions}};
}

}  // namespace tenrex::optimizer
