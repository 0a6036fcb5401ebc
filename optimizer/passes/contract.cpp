// reduce(a*b, sum, dims) becomes contract(a, b), and so do sums of hamming(a,b), of (a-b)*(a-b) and of |a-b|.
// Dimensions of one operand alone are summed afterwards. Operands are taken as they are stored: a cast that widens
// them, without loss, to what the kernels widen them to anyway is left out.
#include <algorithm>
#include <vector>

#include "lib/ir/contraction.h"
#include "optimizer/make_nodes.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// What is summed: after(function(a, b)).
struct Summand {
    ScalarFunction function;
    std::optional<ScalarFunction> after;
    ir::NodeId a, b;
};

bool applies(const ir::Node &node, ScalarFunction function) {
    return node.op == ir::Op::apply && node.attributes->function == function;
}

std::optional<Summand> summand(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    if (applies(node, ScalarFunction::multiply) || applies(node, ScalarFunction::hamming)) {
        const ir::NodeId a = node.operands[0];
        const ir::NodeId b = node.operands[1];
        if (a == b && applies(graph[a], ScalarFunction::subtract)) {
            return Summand{ScalarFunction::subtract, ScalarFunction::square, graph[a].operands[0],
                           graph[a].operands[1]};
        }
        return Summand{node.attributes->function, std::nullopt, a, b};
    }
    const bool is_distance = applies(node, ScalarFunction::square) || applies(node, ScalarFunction::abs) ||
                             applies(node, ScalarFunction::fabs);
    if (is_distance && applies(graph[node.operands[0]], ScalarFunction::subtract)) {
        const ir::Node &difference = graph[node.operands[0]];
        return Summand{ScalarFunction::subtract, node.attributes->function, difference.operands[0],
                       difference.operands[1]};
    }
    if (applies(node, ScalarFunction::square)) {
        return Summand{ScalarFunction::multiply, std::nullopt, node.operands[0], node.operands[0]};
    }
    return std::nullopt;
}

// What is rounded to float before it is added up. A lambda computes in double; if it is one of floats, it need not.
ir::NodeId unrounded(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    const bool rounds =
        node.op == ir::Op::cast && node.type->cell_type() == CellType::f32 && is_double(graph, node.operands[0]);
    return rounds ? node.operands[0] : id;
}

// The operand before a cast that loses nothing.
ir::NodeId stored(ir::Graph &graph, ir::NodeId id) {
    const ir::Node node = graph[id];  // a copy: adding nodes moves them
    if (node.op == ir::Op::rename) {
        const ir::NodeId source = stored(graph, node.operands[0]);
        const TensorType type = *TensorType::make(graph[source].type->cell_type(), node.type->dimensions());
        return source == node.operands[0]
                   ? id
                   : graph.add(ir::Op::rename, type, {&source, 1}, *node.attributes, node.span);
    }
    if (node.op != ir::Op::cast) {
        return id;
    }
    const CellType from = graph[node.operands[0]].type->cell_type();
    const CellType to = node.type->cell_type();
    const bool widens = (to == CellType::f32 && (from == CellType::bf16 || from == CellType::i8)) ||
                        (to == CellType::f64 && from != CellType::f64);
    return widens ? node.operands[0] : id;
}

// Whether nothing else uses what is summed, before it is rounded or afterwards.
bool is_used_once(const ir::Graph &graph, const std::vector<std::uint32_t> &uses, ir::NodeId id) {
    return uses[id] == 1 && (graph[id].op != ir::Op::cast || uses[graph[id].operands[0]] == 1);
}

}  // namespace

void contract(ir::Graph &graph) {
    const std::vector<std::uint32_t> uses = graph.use_counts();
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::reduce || node.attributes->aggregator != Aggregator::sum) {
            return std::nullopt;
        }
        const ir::NodeId source = unrounded(graph, operands[0]);
        std::optional<Summand> terms = summand(graph, source);
        if (!terms) {
            return std::nullopt;
        }
        // One operand of type double makes the kernels add in double; without one they would add in float.
        const ir::NodeId a = stored(graph, terms->a);
        const ir::NodeId b = stored(graph, terms->b);
        if (source != operands[0] && (is_double(graph, a) || is_double(graph, b))) {
            return std::nullopt;
        }
        if (!is_double(graph, operands[0]) || is_double(graph, a) || is_double(graph, b)) {
            terms->a = a;
            terms->b = b;
        } else if (is_double(graph, terms->b)) {
            terms->a = a;  // one of them stays widened
        } else {
            terms->b = b;
        }

        std::vector<std::string> shared, others;
        for (const std::string &dimension : node.attributes->dimensions) {
            const bool of_both = graph[terms->a].type->find(dimension) && graph[terms->b].type->find(dimension);
            (of_both ? shared : others).push_back(dimension);
        }
        if (shared.empty()) {
            return std::nullopt;
        }
        const auto form = ir::contraction_form(*graph[terms->a].type, *graph[terms->b].type, shared, terms->function,
                                               terms->after);
        // A join of labels is done once, for all who need it, and reduced at once.
        const bool loses_join =
            form == ir::ContractionForm::joined_sum && (!others.empty() || !is_used_once(graph, uses, node.operands[0]));
        if (!form || loses_join) {
            return std::nullopt;
        }
        std::vector<Dimension> kept;
        for (const Dimension &dimension : graph[operands[0]].type->dimensions()) {
            if (std::find(shared.begin(), shared.end(), dimension.name) == shared.end()) {
                kept.push_back(dimension);
            }
        }
        const TensorType type = others.empty()
                                    ? *node.type
                                    : *TensorType::make(decay(graph[operands[0]].type->cell_type()), std::move(kept));
        ir::Attributes attributes;
        attributes.function = terms->function;
        attributes.after = terms->after;
        attributes.dimensions = std::move(shared);
        const ir::NodeId pair[] = {terms->a, terms->b};
        const ir::NodeId sum = graph.add(ir::Op::contract, type, pair, std::move(attributes), node.span);
        if (others.empty()) {
            return sum;
        }
        ir::Attributes rest;
        rest.dimensions = std::move(others);
        return graph.add(ir::Op::reduce, *node.type, {&sum, 1}, std::move(rest), node.span);
    });
}

}  // namespace tenrex::optimizer
