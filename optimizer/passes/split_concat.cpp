// A layer over a concatenation is the sum of layers over its parts. Where parts become known at different times, such
// as a query's and a document's, the sum is split: the query's half is multiplied once.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

bool has_mapped(const TensorType &type, const std::vector<std::string> &names) {
    return std::any_of(type.dimensions().begin(), type.dimensions().end(), [&](const Dimension &dimension) {
        return dimension.is_mapped() && contains(names, dimension.name);
    });
}

struct Split {
    ir::Graph &graph;
    ir::NodeId weights;
    std::vector<std::string> summed;
    std::string along;
    CellType cell_type;
    bool in_double;
    Span span;

    std::uint64_t size(ir::NodeId part) const {
        const TensorType &type = *graph[part].type;
        const auto found = type.find(along);
        return found ? type.dimensions()[*found].size : 1;
    }
    // The contraction of a part that stands at `begin`.
    std::optional<ir::NodeId> contraction(ir::NodeId part, std::uint64_t begin) {
        const ir::Node node = graph[part];
        const bool is_split = node.op == ir::Op::concat && node.as<ir::Concat>().dimension == along &&
                              graph[node.operands[0]].stage != graph[node.operands[1]].stage;
        if (is_split) {
            const auto first = contraction(node.operands[0], begin);
            const auto second = contraction(node.operands[1], begin + size(node.operands[0]));
            if (!first || !second) {
                return std::nullopt;
            }
            return add_apply(graph, ScalarFunction::add, cell_type, {*first, *second}, span);
        }
        if (!node.type->find(along)) {
            return std::nullopt;
        }
        const ir::NodeId rows = add_slice(graph, weights, along, begin, size(part), span);
        if (!ir::contraction_form(*node.type, *graph[rows].type, summed, {})) {
            return std::nullopt;
        }
        return add_contraction(graph, part, rows, summed, in_double, span);
    }
};

}  // namespace

void split_concat(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (!is_sum_of_products(node)) {
            return std::nullopt;
        }
        for (const auto &[parts, weights] : either_order(operands)) {
            const ir::Node concat = graph[parts];
            // A label that is summed counts only if all parts have it, which no part knows by itself.
            if (concat.op != ir::Op::concat || has_mapped(*concat.type, node.as<ir::Contract>().dimensions) ||
                graph[concat.operands[0]].stage == graph[concat.operands[1]].stage ||
                graph[weights].stage == Stage::document ||
                !contains(node.as<ir::Contract>().dimensions, concat.as<ir::Concat>().dimension)) {
                continue;
            }
            Split split{graph,
                        weights,
                        node.as<ir::Contract>().dimensions,
                        concat.as<ir::Concat>().dimension,
                        node.type->cell_type(),
                        is_double(graph, parts) || is_double(graph, weights),
                        node.span};
            const auto result = split.contraction(parts, 0);
            if (result && *graph[*result].type == *node.type) {
                return result;
            }
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer
