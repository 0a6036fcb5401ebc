// A layer over a concatenation is the sum of layers over its parts. Where parts become known at different times, such as
// a query's and a document's, the sum is split: the query's half is multiplied once.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "optimizer/make_nodes.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

struct Split {
    ir::Graph &graph;
    ir::NodeId weights;
    std::vector<std::string> summed;
    std::string along;
    CellType cell_type;
    Span span;

    std::uint64_t size(ir::NodeId part) const {
        const TensorType &type = *graph[part].type;
        const auto found = type.find(along);
        return found ? type.dimensions()[*found].size : 1;
    }
    // The contraction of a part that stands at `begin`.
    std::optional<ir::NodeId> contraction(ir::NodeId part, std::uint64_t begin) {
        const ir::Node node = graph[part];
        const bool is_split = node.op == ir::Op::concat && node.attributes->dimensions[0] == along &&
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
        if (!ir::contraction_form(*node.type, *graph[rows].type, summed, ScalarFunction::multiply, std::nullopt)) {
            return std::nullopt;
        }
        return add_contraction(graph, part, rows, summed, span);
    }
};

}  // namespace

void split_concat(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::contract || node.attributes->function != ScalarFunction::multiply ||
            node.attributes->after) {
            return std::nullopt;
        }
        for (const bool second : {false, true}) {
            const ir::NodeId parts = operands[second ? 1 : 0];
            const ir::NodeId weights = operands[second ? 0 : 1];
            const ir::Node concat = graph[parts];
            if (concat.op != ir::Op::concat ||
                graph[concat.operands[0]].stage == graph[concat.operands[1]].stage ||
                graph[weights].stage == Stage::document ||
                !contains(node.attributes->dimensions, concat.attributes->dimensions[0])) {
                continue;
            }
            Split split{graph,
                        weights,
                        node.attributes->dimensions,
                        concat.attributes->dimensions[0],
                        node.type->cell_type(),
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
