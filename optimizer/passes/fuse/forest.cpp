// Sums of choices between numbers, by comparisons of scalars with numbers, are the trees of a forest:
// a+if(x<1,0.5,if(y in [2,3],0.25,1))+if(x<2,0.5,1). Each addition stays as it is written, from the first on.
#include <memory>
#include <utility>

#include "optimizer/costs.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/fuse/forest_trees.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

// Where nobody knows what kernels cost.
constexpr std::uint64_t usual_least_splits = 8;

class ForestPatterns {
public:
    ForestPatterns(const ir::Graph &graph, std::uint64_t least_splits)
        : trees_(graph), least_splits_(least_splits), was_seen_(graph.size()) {}

    std::optional<Fused> find(const Patterns &patterns, ir::NodeId id) {
        if (was_seen_[id] || !patterns.type(id).is_scalar()) {
            return std::nullopt;
        }
        const Sum sum = sum_that_ends_in(patterns, id);
        const ir::Graph &graph = patterns.graph();
        if (const std::string_view reason = trees_.reason(sum.base.value_or(id)); !reason.empty()) {
            patterns.refuse(sum.base.value_or(id), reason);
        }
        if (sum.splits < least_splits_) {
            if (sum.splits > 1) {
                patterns.refuse(id, "there are few splits");
            }
            return std::nullopt;
        }
        // Trees that share parts are written out.
        if (sum.splits > 4 * graph.size()) {
            return patterns.refuse(id, "trees share too many of their parts");
        }
        TreeFinder finder(graph);
        for (auto term = sum.terms.rbegin(); term != sum.terms.rend(); ++term) {
            finder.add(term->tree, term->is_subtracted);
        }
        std::vector<ir::NodeId> operands = finder.features();
        if (sum.base) {
            operands.push_back(*sum.base);
        }
        return Fused{
            ir::Op::forest, std::move(operands),
            ir::Forest{std::make_shared<const forest::Forest>(finder.take_forest()), {}, sum.base.has_value()}};
    }

private:
    struct Term {
        ir::NodeId tree;
        bool is_subtracted;
    };
    struct Sum {
        std::vector<Term> terms;         // the last first
        std::optional<ir::NodeId> base;  // that the first is added to
        std::uint64_t splits = 0;
    };

    // Additions of two numbers may be exchanged, but not be put in another order.
    Sum sum_that_ends_in(const Patterns &patterns, ir::NodeId id) {
        Sum sum;
        const auto add = [&](ir::NodeId tree, bool is_subtracted) {
            sum.terms.push_back({tree, is_subtracted});
            sum.splits += trees_.splits(tree);
        };
        for (ir::NodeId at = id; !sum.base;) {
            if (trees_.is_tree(at)) {
                add(at, false);
                break;
            }
            const ir::Node &node = patterns[at];
            const bool is_addition = applies(node, ScalarFunction::add);
            const bool is_sum = (is_addition || applies(node, ScalarFunction::subtract)) &&
                                patterns.type(at).is_scalar() && (at == id || patterns.uses(at) == 1);
            if (is_sum && trees_.is_tree(node.operands[1])) {
                was_seen_[at] = true;
                add(node.operands[1], !is_addition);
                at = node.operands[0];
            } else if (is_sum && is_addition && trees_.is_tree(node.operands[0])) {
                was_seen_[at] = true;
                add(node.operands[0], false);
                at = node.operands[1];
            } else {
                sum.base = at;
            }
        }
        return sum;
    }

    TreeNodes trees_;
    std::uint64_t least_splits_;
    std::vector<bool> was_seen_;  // sums that are parts of one that was looked at
};

}  // namespace

void fuse_forest(ir::Graph &graph, PassRun &run) {
    ForestPatterns found(graph, run.costs != nullptr ? run.costs->least_splits() : usual_least_splits);
    fuse(graph, run, ~ir::OpSet{0}, [&](const Patterns &patterns, ir::NodeId id) { return found.find(patterns, id); });
}

}  // namespace tenrex::optimizer
