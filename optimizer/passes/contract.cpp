// reduce(a*b, sum, dims) becomes contract(a, b), and so do sums of hamming(a,b), of (a-b)*(a-b), of |a-b| and of
// comparisons, and the largest and smallest a*b, a-b and |a-b|. The average of as many cells as are known is their sum,
// divided. Dimensions of one operand alone are reduced afterwards. Operands are taken as they are stored: a cast that
// widens them, without loss, to what the kernels widen them to anyway is left out.
#include <algorithm>
#include <vector>

#include "lib/ir/contraction.h"
#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// What is added up or compared: after(function(a, b)).
struct Term {
    ScalarFunction function;
    std::optional<ScalarFunction> after;
    ir::NodeId a, b;
};

bool is_comparison(ScalarFunction function) {
    return function == ScalarFunction::less || function == ScalarFunction::less_equal ||
           function == ScalarFunction::equal;
}

// The ways to see what is reduced, the best one first.
std::vector<Term> terms_of(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    std::vector<Term> result;
    if (node.op != ir::Op::apply) {
        return result;
    }
    const ir::NodeId first = node.operands[0];
    const ir::NodeId last = node.operands.back();
    switch (const ScalarFunction function = node.as<ir::Apply>().function) {
        case ScalarFunction::multiply:
            if (first == last && applies(graph[first], ScalarFunction::subtract)) {
                result.push_back({ScalarFunction::subtract, ScalarFunction::square, graph[first].operands[0],
                                  graph[first].operands[1]});
            }
            [[fallthrough]];
        case ScalarFunction::hamming:
        case ScalarFunction::subtract:
        case ScalarFunction::less:
        case ScalarFunction::less_equal:
        case ScalarFunction::equal:
            result.push_back({function, std::nullopt, first, last});
            break;
        case ScalarFunction::greater:
            result.push_back({ScalarFunction::less, std::nullopt, last, first});
            break;
        case ScalarFunction::greater_equal:
            result.push_back({ScalarFunction::less_equal, std::nullopt, last, first});
            break;
        case ScalarFunction::square:
        case ScalarFunction::abs:
        case ScalarFunction::fabs:
            if (applies(graph[first], ScalarFunction::subtract)) {
                result.push_back(
                    {ScalarFunction::subtract, function, graph[first].operands[0], graph[first].operands[1]});
            }
            if (function == ScalarFunction::square) {
                result.push_back({ScalarFunction::multiply, std::nullopt, first, first});
            }
            break;
        default:
            break;
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
ir::NodeId stored(ir::Graph &graph, ir::NodeId id) {
    const ir::Node node = graph[id];  // a copy: adding nodes moves them
    if (node.op == ir::Op::rename) {
        const ir::NodeId source = stored(graph, node.operands[0]);
        return source == node.operands[0]
                   ? id
                   : graph.add(ir::Op::rename, graph[source].type->cell_type(), {&source, 1}, *node.payload, node.span);
    }
    if (node.op != ir::Op::cast) {
        return id;
    }
    const CellType from = graph[node.operands[0]].type->cell_type();
    const CellType to = node.type->cell_type();
    // A bfloat16 holds every int8.
    const bool holds_all = to == CellType::f64 || to == decay(from) || (from == CellType::i8 && to == CellType::bf16);
    const bool widens = from != to && holds_all;
    return widens ? node.operands[0] : id;
}

// Whether nothing else uses what is summed, before it is rounded or afterwards.
bool is_used_once(const ir::Graph &graph, std::span<const std::uint32_t> uses, ir::NodeId id) {
    return uses[id] == 1 && (graph[id].op != ir::Op::cast || uses[graph[id].operands[0]] == 1);
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

// Such terms, reduced over the dimensions that the node reduces; nothing: no contraction.
std::optional<ir::NodeId> contracted(ir::Graph &graph, std::span<const std::uint32_t> uses, const ir::Node &node,
                                     ir::NodeId operand, Term terms, Aggregator aggregator) {
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
    for (const std::string &dimension : node.as<ir::Reduce>().dimensions) {
        const bool of_both = graph[terms.a].type->find(dimension) && graph[terms.b].type->find(dimension);
        (of_both ? shared : others).push_back(dimension);
    }
    if (shared.empty()) {
        return std::nullopt;
    }
    const ir::ContractionTerms what{terms.function, terms.after, aggregator};
    const auto form = ir::contraction_form(*graph[terms.a].type, *graph[terms.b].type, shared, what);
    // A join of labels is done once, for all who need it, and reduced at once.
    const bool loses_join =
        form == ir::ContractionForm::joined_sum && (!others.empty() || !is_used_once(graph, uses, node.operands[0]));
    if (!form || loses_join) {
        return std::nullopt;
    }
    const CellType cell_type = others.empty() ? node.type->cell_type() : decay(graph[operand].type->cell_type());
    const ir::NodeId pair[] = {terms.a, terms.b};
    const ir::NodeId sum =
        graph.add(ir::Op::contract, cell_type, pair, ir::Contract{what, std::move(shared)}, node.span);
    if (others.empty()) {
        return sum;
    }
    return graph.add(ir::Op::reduce, *node.type, {&sum, 1}, ir::Reduce{aggregator, std::move(others)}, node.span);
}

// How an aggregate of terms is had from another one, of which there are kernels.
struct Detour {
    Aggregator aggregator;
    std::optional<ScalarFunction> then = std::nullopt;  // with this number
    double number = 0;
};

// count: of the cells that become one, if it is known.
Detour detour(Aggregator aggregator, const Term &term, std::optional<double> count) {
    if (aggregator == Aggregator::avg && count) {
        return {Aggregator::sum, ScalarFunction::divide, *count};
    }
    constexpr double most_exact = 1 << 24;  // of the whole numbers that are floats
    if (is_comparison(term.function) && count && *count <= most_exact) {
        // How many of them hold says whether any or all do.
        if (aggregator == Aggregator::max) {
            return {Aggregator::sum, ScalarFunction::greater, 0};
        }
        if (aggregator == Aggregator::min || aggregator == Aggregator::prod) {
            return {Aggregator::sum, ScalarFunction::equal, *count};
        }
    }
    return {aggregator};
}

}  // namespace

void contract(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::reduce) {
            return std::nullopt;
        }
        const ir::Reduce &reduce = node.as<ir::Reduce>();
        const std::optional<double> count = known_count(*graph[operands[0]].type, reduce.dimensions);
        for (const Term &term : terms_of(graph, unrounded(graph, operands[0]))) {
            const auto [aggregator, then, number] = detour(reduce.aggregator, term, count);
            const std::optional<ir::NodeId> result = contracted(graph, run.uses, node, operands[0], term, aggregator);
            if (result) {
                return then ? add_apply(graph, *then, node.type->cell_type(), {*result, graph.constant(number)},
                                        node.span)
                            : *result;
            }
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer
