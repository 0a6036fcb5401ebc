// Costly functions with simple arguments are the cheap functions that they amount to, for every operand: squares and
// cubes for powers, products with the inverse for quotients by powers of two.
#include <cmath>

#include "optimizer/make_nodes.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

void simplify(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];
        if (node.op != ir::Op::apply || operands.size() != 2) {
            return std::nullopt;
        }
        const ir::Node second = graph[operands[1]];
        if (second.op != ir::Op::constant || second.attributes->value) {
            return std::nullopt;
        }
        const double number = second.attributes->number;
        const CellType cell_type = node.type->cell_type();
        const ir::NodeId x = operands[0];
        switch (node.attributes->function) {
            case ScalarFunction::pow:
            case ScalarFunction::power: {
                if (number == 1 && *graph[x].type == *node.type) {
                    return x;
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
