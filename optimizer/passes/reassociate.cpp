// What does not depend on the document is multiplied first: the sum over y of (the sum over x of d*W) * q becomes the
// sum over x of d * (the sum over y of W*q), whose second factor is known with the query. Outer products that are
// summed away are never built: the sum of (a*b)*c, where a and b have no dimension in common, is that of b times the
// sum of a*c. A bias is added to the part of a split layer that is known first. Sums are added up in another order, so
// that a result that is finite either way may differ in its last bits; where infinities meet, one way may give NaN and
// the other not.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "optimizer/make_nodes.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

bool is_sum_of_products(const ir::Node &node) {
    return node.op == ir::Op::contract && ir::contraction_terms(*node.attributes).is_sum_of_products();
}

bool has_any(const TensorType &type, const std::vector<std::string> &names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string &name) { return type.find(name); });
}

bool have_common(const TensorType &a, const TensorType &b) {
    return std::any_of(a.dimensions().begin(), a.dimensions().end(),
                       [&](const Dimension &dimension) { return b.find(dimension.name); });
}

bool all_indexed(const TensorType &type, const std::vector<std::string> &names) {
    return std::all_of(names.begin(), names.end(), [&](const std::string &name) {
        const auto found = type.find(name);
        return found && type.dimensions()[*found].is_indexed();
    });
}

bool is_contraction(const ir::Graph &graph, ir::NodeId a, ir::NodeId b, const std::vector<std::string> &summed) {
    return ir::contraction_form(*graph[a].type, *graph[b].type, summed, {}).has_value();
}

// sum over `outer` of (sum over `inner` of d*w) * q, as sum over `inner` of d * (sum over `outer` of w*q).
std::optional<ir::NodeId> known_first(ir::Graph &graph, const ir::Node &node, ir::NodeId product, ir::NodeId q) {
    const ir::Node inner = graph[product];
    if (!is_sum_of_products(inner)) {
        return std::nullopt;
    }
    for (const bool second : {false, true}) {
        const ir::NodeId d = inner.operands[second ? 1 : 0];
        const ir::NodeId w = inner.operands[second ? 0 : 1];
        const std::vector<std::string> &summed = node.attributes->dimensions;
        const bool known = std::max(graph[w].stage, graph[q].stage) < graph[d].stage;
        if (!known || has_any(*graph[d].type, summed) || !all_indexed(*graph[w].type, summed) ||
            has_any(*graph[q].type, inner.attributes->dimensions) || have_common(*graph[q].type, *graph[d].type) ||
            !is_contraction(graph, w, q, summed)) {
            continue;
        }
        const ir::NodeId weights = add_contraction(graph, w, q, summed, is_double(graph, d), inner.span);
        if (!is_contraction(graph, d, weights, inner.attributes->dimensions)) {
            continue;
        }
        const ir::NodeId result = add_contraction(graph, d, weights, inner.attributes->dimensions, false, node.span);
        if (*graph[result].type == *node.type) {
            return result;
        }
    }
    return std::nullopt;
}

// sum of (a*b)*c, as sum of b * (sum of a*c).
std::optional<ir::NodeId> without_outer_product(ir::Graph &graph, const ir::Node &node, ir::NodeId product,
                                                ir::NodeId c) {
    const ir::Node outer = graph[product];
    if (outer.op != ir::Op::apply || outer.attributes->function != ScalarFunction::multiply ||
        have_common(*graph[outer.operands[0]].type, *graph[outer.operands[1]].type) ||
        graph[outer.operands[0]].type->is_scalar() || graph[outer.operands[1]].type->is_scalar()) {
        return std::nullopt;
    }
    // What is known earlier is taken first.
    const bool later_first = graph[outer.operands[0]].stage > graph[outer.operands[1]].stage;
    for (const bool second : {later_first, !later_first}) {
        const ir::NodeId a = outer.operands[second ? 1 : 0];
        const ir::NodeId b = outer.operands[second ? 0 : 1];
        // What only one of them and c have is summed with that one.
        std::vector<std::string> of_a, of_b;
        bool complete = true;
        for (const std::string &name : node.attributes->dimensions) {
            const bool in_a = graph[a].type->find(name).has_value();
            (in_a ? of_a : of_b).push_back(name);
            complete &= in_a || graph[b].type->find(name).has_value();
        }
        if (!complete || of_a.empty() || of_b.empty() || !all_indexed(*graph[a].type, of_a) ||
            !all_indexed(*graph[b].type, of_b) || !is_contraction(graph, a, c, of_a)) {
            continue;
        }
        const ir::NodeId first = add_contraction(graph, a, c, of_a, is_double(graph, b), outer.span);
        if (!is_contraction(graph, first, b, of_b)) {
            continue;
        }
        const ir::NodeId result = add_contraction(graph, first, b, of_b, false, node.span);
        if (*graph[result].type == *node.type) {
            return result;
        }
    }
    return std::nullopt;
}

// (p + q) + c, where p and q are sums of products of which only p needs the document, as p + (q + c).
std::optional<ir::NodeId> bias_first(ir::Graph &graph, const ir::Node &node, ir::NodeId sum, ir::NodeId c) {
    const ir::Node inner = graph[sum];
    if (inner.op != ir::Op::apply || inner.attributes->function != ScalarFunction::add ||
        graph[c].stage == Stage::document) {
        return std::nullopt;
    }
    for (const bool second : {false, true}) {
        const ir::NodeId p = inner.operands[second ? 1 : 0];
        const ir::NodeId q = inner.operands[second ? 0 : 1];
        if (graph[p].op == ir::Op::contract && graph[q].op == ir::Op::contract && graph[p].stage == Stage::document &&
            graph[q].stage != Stage::document && *graph[p].type == *node.type && *graph[q].type == *node.type &&
            !node.type->has_mapped()) {
            const CellType cell_type = node.type->cell_type();
            const ir::NodeId known = add_apply(graph, ScalarFunction::add, cell_type, {q, c}, node.span);
            return add_apply(graph, ScalarFunction::add, cell_type, {p, known}, node.span);
        }
    }
    return std::nullopt;
}

}  // namespace

void reassociate(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op == ir::Op::apply && node.attributes->function == ScalarFunction::add) {
            const auto result = bias_first(graph, node, operands[0], operands[1]);
            return result ? result : bias_first(graph, node, operands[1], operands[0]);
        }
        if (!is_sum_of_products(node)) {
            return std::nullopt;
        }
        for (const bool second : {false, true}) {
            const ir::NodeId product = operands[second ? 1 : 0];
            const ir::NodeId other = operands[second ? 0 : 1];
            if (const auto result = known_first(graph, node, product, other)) {
                return result;
            }
            if (const auto result = without_outer_product(graph, node, product, other)) {
                return result;
            }
        }
        return std::nullopt;
    });
}

}  // namespace tenrex::optimizer
