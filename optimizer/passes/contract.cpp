// reduce(a*b, sum, dims) becomes contract(a, b), and so do sums of hamming(a,b), of (a-b)*(a-b) and of |a-b|. The average
// of as many cells as are known is their sum, divided. Dimensions of one operand alone are summed afterwards. Operands are taken as they are stored: a cast that widens
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

// The ways to see what is summed, the best one first.
std::vector<Summand> summands(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    std::vector<Summand> result;
    if (applies(node, ScalarFunction::multiply) || applies(node, ScalarFunction::hamming)) {
        const ir::NodeId a = node.operands[0];
        const ir::NodeId b = node.operands[1];
        if (a == b && applies(graph[a], ScalarFunction::subtract)) {
            result.push_back({ScalarFunction::subtract, ScalarFunction::square, graph[a].operands[0],
                              graph[a].operands[1]});
        }
        result.push_back({node.attributes->function, std::nullopt, a, b});
        return result;
    }
    const bool is_distance = applies(node, ScalarFunction::square) || applies(node, ScalarFunction::abs) ||
                             applies(node, ScalarFunction::fabs);
    if (is_distance && applies(graph[node.operands[0]], ScalarFunction::subtract)) {
        const ir::Node &difference = graph[node.operands[0]];
        result.push_back({ScalarFunction::subtract, node.attributes->function, difference.operands[0],
                          difference.operands[1]});
    }
    if (applies(node, ScalarFunction::square)) {
        result.push_back({ScalarFunction::multiply, std::nullopt, node.operands[0], node.operands[0]});
    }
    return result;
}

// What is rounded to float before it is added up. A lambda computes in double; if it is one of floats, it need not.
ir::NodeId unrounded(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    const bool rounds =
        node.op == ir::Op::cast && node.type->cell_type() == CellType::f32 && is_double(graph, node.operands[0]);
    return rounds ? node.operands[0] : id;
}

// The operand before a cast that loses nothing.
ir::NodeId stored(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    if (node.op != ir::Op::cast) {
        return id;
    }
    const CellType from = graph[node.operands[0]].type->cell_type();
    const CellType to = node.type->cell_type();
    const bool widens = (to == CellType::f32 && (from == CellType::bf16 || from == CellType::i8)) ||
                        (to == CellType::f64 && from != CellType::f64);
    return widens ? node.operands[0] : id;
}

// The cells that each result is made of, if that is known: of dense dimensions alone.
std::optional<double> known_count(const TensorType &from, const std::vector<std::string> &dimensions) {
    double count = 1;
    for (const std::string &name : dimensions) {
        const Dimension &dimension = from.dimensions()[*from.find(name)];
        if (dimension.is_mapped()) {
            return std::nullopt;
        }
        count *= static_cast<double>(dimension.size);
    }
    return count;
}

// The sum of such terms over the dimensions that the node reduces; nothing: no contraction.
std::optional<ir::NodeId> contracted(ir::Graph &graph, const ir::Node &node, ir::NodeId operand, Summand terms) {
    const ir::NodeId source = unrounded(graph, operand);
    // One operand of type double makes the kernels add in double; without one they would add in float.
    const ir::NodeId a = stored(graph, terms.a);
    const ir::NodeId b = stored(graph, terms.b);
    if (source != operand && (is_double(graph, a) || is_double(graph, b))) {
        return std::nullopt;
    }
    if (!is_double(graph, operand) || is_double(graph, a) || is_double(graph, b)) {
        terms.a = a;
        terms.b = b;
    } else if (is_double(graph, terms.b)) {
        terms.a = a;  // one of them stays widened
    } else {
        terms.b = b;
    }

    std::vector<std::string> shared, others;
    for (const std::string &dimension : node.attributes->dimensions) {
        const bool of_both = graph[terms.a].type->find(dimension) && graph[terms.b].type->find(dimension);
        (of_both ? shared : others).push_back(dimension);
    }
    if (shared.empty() || !ir::contraction_form(*graph[terms.a].type, *graph[terms.b].type, shared, terms.function,
                                                terms.after)) {
        return std::nullopt;
    }
    std::vector<Dimension> kept;
    for (const Dimension &dimension : graph[operand].type->dimensions()) {
        if (std::find(shared.begin(), shared.end(), dimension.name) == shared.end()) {
            kept.push_back(dimension);
        }
    }
    const TensorType type = others.empty()
                                ? *node.type
                                : *TensorType::make(decay(graph[operand].type->cell_type()), std::move(kept));
    ir::Attributes attributes;
    attributes.function = terms.function;
    attributes.after = terms.after;
    attributes.dimensions = std::move(shared);
    const ir::NodeId pair[] = {terms.a, terms.b};
    const ir::NodeId sum = graph.add(ir::Op::contract, type, pair, std::move(attributes), node.span);
    if (others.empty()) {
        return sum;
    }
    ir::Attributes rest;
    rest.dimensions = std::move(others);
    return graph.add(ir::Op::reduce, *node.type, {&sum, 1}, std::move(rest), node.span);
}

}  // namespace

void contract(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        const bool is_average = node.op == ir::Op::reduce && node.attributes->aggregator == Aggregator::avg;
        if (node.op != ir::Op::reduce || (node.attributes->aggregator != Aggregator::sum && !is_average)) {
            return std::nullopt;
        }
        const std::optional<double> count = known_count(*graph[operands[0]].type, node.attributes->dimensions);
        if (is_average && !count) {
            return std::nullopt;
        }
        for (const Summand &terms : summands(graph, unrounded(graph, operands[0]))) {
            if (const std::optional<ir::NodeId> sum = contracted(graph, node, operands[0], terms)) {
                return is_average ? add_apply(graph, ScalarFunction::divide, node.type->cell_type(),
                                              {*sum, graph.constant(*count)}, node.span)
                                  : *sum;
            }
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer
