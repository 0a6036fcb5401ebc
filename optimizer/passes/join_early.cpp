// What is summed for each label of a query's value or a constant, and then joined with labels of the document, is
// summed for the labels alone that the document has: sum(w*d,x)*c, with w(k{},x[64]), d(x[64]) and c(k{}), takes the
// blocks of w that c has, and so many dot products.
#include <algorithm>

#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

bool has_mapped_dimensions_of(const TensorType &type, const TensorType &all) {
    return std::ranges::all_of(all.dimensions(), [&](const Dimension &dimension) {
        return dimension.is_indexed() || type.find(dimension.name);
    });
}

class EarlyJoin {
public:
    // uses: of the nodes that were there before the pass. labels: what has the addresses of the join.
    EarlyJoin(ir::Graph &graph, std::span<const std::uint32_t> uses, ir::NodeId labels)
        : graph_(graph), uses_(uses), labels_(labels) {}

    // A value with those addresses alone, if that saves a sum. depth: functions between the value and the join.
    std::optional<ir::NodeId> restricted(ir::NodeId id, std::size_t depth = 0) {
        constexpr std::size_t most = 6;  // so that long formulas are not searched from each of their nodes
        const ir::Node node = graph_[id];
        if (depth > most || id >= uses_.size() || uses_[id] != 1 || node.stage != Stage::document ||
            !node.type->has_mapped()) {
            return std::nullopt;
        }
        const bool sums = node.op == ir::Op::contract && !node.as<ir::Contract>().has_epilogue();
        if (!sums && node.op != ir::Op::apply) {
            return std::nullopt;
        }
        for (std::size_t i = 0; i < node.operands.size(); ++i) {
            const ir::NodeId operand = node.operands[i];
            if (!has_mapped_dimensions_of(*graph_[operand].type, *node.type)) {
                continue;
            }
            const std::optional<ir::NodeId> fewer = sums ? blocks_of(node, i) : restricted(operand, depth + 1);
            if (fewer) {
                std::vector<ir::NodeId> operands(node.operands.begin(), node.operands.end());
                operands[i] = *fewer;
                return graph_.with_operands(id, operands);
            }
        }
        return std::nullopt;
    }

private:
    // Of an operand that documents share and whose blocks are each summed with something that has no labels.
    std::optional<ir::NodeId> blocks_of(const ir::Node &sum, std::size_t number) {
        const ir::Node &shared = graph_[sum.operands[number]];
        const ir::Node &other = graph_[sum.operands[1 - number]];
        const bool keeps_labels = std::ranges::none_of(sum.as<ir::Contract>().dimensions, [&](const std::string &name) {
            return shared.type->dimensions()[*shared.type->find(name)].is_mapped();
        });
        if (shared.stage == Stage::document || other.type->has_mapped() || !keeps_labels) {
            return std::nullopt;
        }
        const ir::NodeId operands[] = {sum.operands[number], labels_};
        return graph_.add(ir::Op::join_addresses, shared.type->cell_type(), operands, {}, sum.span);
    }

    ir::Graph &graph_;
    std::span<const std::uint32_t> uses_;
    ir::NodeId labels_;
};

}  // namespace

void join_early(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        const bool joins = (node.op == ir::Op::apply || node.op == ir::Op::contract) && operands.size() == 2;
        if (!joins || node.stage != Stage::document) {
            return std::nullopt;
        }
        for (std::size_t i = 0; i < 2; ++i) {
            const ir::Node &labels = graph[operands[i]];
            // It has nothing but labels, all of which the other operand has.
            const bool names_blocks = labels.stage == Stage::document && labels.type->has_mapped() &&
                                      !labels.type->has_indexed() &&
                                      has_mapped_dimensions_of(*graph[operands[1 - i]].type, *labels.type);
            if (!names_blocks) {
                continue;
            }
            if (const auto fewer = EarlyJoin(graph, run.uses, operands[i]).restricted(operands[1 - i])) {
                std::vector<ir::NodeId> joined(operands.begin(), operands.end());
                joined[1 - i] = *fewer;
                return graph.with_operands(id, joined);
            }
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer
