// Costly functions with simple arguments are the cheap functions that they amount to, for every operand: squares and
// cubes and square roots for powers, products with the inverse for quotients by powers of two, one product for a choice
// of two, comparisons of floats with a float for those with a double.
#include <cmath>
#include <limits>

#include "lib/support/float_range.h"
#include "optimizer/make_nodes.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// if(c,x*a,x*b) is x*if(c,a,b) for numbers a and b: each cell is the product that it was.
std::optional<ir::NodeId> one_product(ir::Graph &graph, const ir::Node &node, std::span<const ir::NodeId> operands) {
    std::optional<ir::NodeId> factor;
    ir::NodeId choice[3] = {operands[0]};
    for (const std::size_t k : {1, 2}) {
        const ir::Node &product = graph[operands[k]];
        if (!applies(product, ScalarFunction::multiply) || *product.type != *node.type) {
            return std::nullopt;
        }
        const auto is_number = [&](ir::NodeId id) {
            if (!graph[id].is_number()) {
                return false;
            }
            const double number = graph[id].number();
            return is_double(graph, operands[k]) || static_cast<double>(static_cast<float>(number)) == number;
        };
        const std::size_t number = is_number(product.operands[0]) ? 0 : 1;
        const ir::NodeId other = product.operands[1 - number];
        if (!is_number(product.operands[number]) || (factor && *factor != other)) {
            return std::nullopt;
        }
        factor = other;
        choice[k] = product.operands[number];
    }
    if (*graph[operands[0]].type != *node.type || *graph[*factor].type != *node.type) {
        return std::nullopt;
    }
    const ir::NodeId chosen = graph.add(ir::Op::select, *node.type, choice, *node.payload, node.span);
    return add_apply(graph, ScalarFunction::multiply, node.type->cell_type(), {*factor, chosen}, node.span);
}

// Whether each cell is a float, even if it is read as a double.
bool holds_floats(const ir::Graph &graph, ir::NodeId id) {
    const ir::Node &node = graph[id];
    return !is_double(graph, id) || (node.op == ir::Op::cast && !is_double(graph, node.operands[0]));
}

// A float is less than a double if it is less than the next float from there on, and greater if it is greater than the
// last one up to there.
std::optional<ir::NodeId> compared_with_float(ir::Graph &graph, const ir::Node &node,
                                              std::span<const ir::NodeId> operands) {
    const std::size_t bound = graph[operands[0]].is_number() ? 0 : 1;
    const double number = graph[operands[bound]].is_number() ? graph[operands[bound]].number() : 0;
    if (std::isnan(number) || static_cast<float>(number) == number || !holds_floats(graph, operands[1 - bound])) {
        return std::nullopt;
    }
    const ScalarFunction function = node.as<ir::Apply>().function;
    const bool is_less = function == ScalarFunction::less || function == ScalarFunction::greater_equal;
    ir::NodeId compared[] = {operands[0], operands[1]};
    // What is true of x and the number is true of the number and x the other way round.
    compared[bound] = graph.constant(is_less == (bound == 1) ? float_from(number) : float_up_to(number));
    return graph.add(ir::Op::apply, *node.type, compared, *node.payload, node.span);
}

// x^0.5 is the square root but for two numbers: that of -0 is 0, that of -infinity is infinity.
ir::NodeId root_as_power(ir::Graph &graph, const ir::Node &power, ir::NodeId x) {
    constexpr double positive_infinity = std::numeric_limits<double>::infinity();
    const CellType cell_type = power.type->cell_type();
    const auto apply = [&](ScalarFunction function, std::vector<ir::NodeId> operands) {
        return add_apply(graph, function, cell_type, std::move(operands), power.span);
    };
    const ir::NodeId root = apply(ScalarFunction::sqrt, {x});
    const ir::NodeId choice[] = {apply(ScalarFunction::equal, {x, graph.constant(-positive_infinity)}),
                                 graph.constant(positive_infinity),
                                 apply(ScalarFunction::add, {root, graph.constant(0)})};
    return graph.add(ir::Op::select, *power.type, choice, ir::Choice(), power.span);
}

}  // namespace

void simplify(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op == ir::Op::select) {
            return one_product(graph, node, operands);
        }
        if (node.op != ir::Op::apply || operands.size() != 2) {
            return std::nullopt;
        }
        if (is_order(node)) {
            return compared_with_float(graph, node, operands);
        }
        const ir::Node second = graph[operands[1]];
        if (!second.is_number()) {
            return std::nullopt;
        }
        const double number = second.number();
        const CellType cell_type = node.type->cell_type();
        const ir::NodeId x = operands[0];
        switch (node.as<ir::Apply>().function) {
            case ScalarFunction::pow:
            case ScalarFunction::power: {
                if (number == 1 && *graph[x].type == *node.type) {
                    return x;
                }
                if (number == 0.5) {
                    return root_as_power(graph, node, x);
                }
                if (number != 2 && number != 3) {
                    return std::nullopt;
                }
                const ir::NodeId square = add_apply(graph, ScalarFunction::square, cell_type, {x}, node.span);
                return number == 2 ? square
                                   : add_apply(graph, ScalarFunction::multiply, cell_type, {square, x}, node.span);
            }
            case ScalarFunction::divide: {
                int exponent;
                const bool power_of_two = std::frexp(std::fabs(number), &exponent) == 0.5 && std::abs(exponent) < 100;
                return power_of_two ? std::optional(add_apply(graph, ScalarFunction::multiply, cell_type,
                                                              {x, graph.constant(1 / number)}, node.span))
                                    : std::nullopt;
            }
            default:
                return std::nullopt;
        }
    });
}

}  // namespace tenrex::optimizer
