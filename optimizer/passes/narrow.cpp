// A scalar lambda computes in double and rounds its result. If the operands are floats and the function is one whose
// double result rounds to the float result, float arithmetic gives the same cells with half the work. That holds for
// one operation; a second one would see the first rounded.
#include <algorithm>
#include <cmath>
#include <vector>

#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// A double has more than twice the bits of a float and two: rounding twice is rounding once for these (Figueroa, 1995),
// and the others choose or compare.
bool is_same_in_float(ScalarFunction function) {
    switch (function) {
        case ScalarFunction::add:
        case ScalarFunction::subtract:
        case ScalarFunction::multiply:
        case ScalarFunction::divide:
        case ScalarFunction::sqrt:
        case ScalarFunction::square:
        case ScalarFunction::negate:
        case ScalarFunction::abs:
        case ScalarFunction::fabs:
        case ScalarFunction::max:
        case ScalarFunction::min:
        case ScalarFunction::relu:
        case ScalarFunction::floor:
        case ScalarFunction::ceil:
        case ScalarFunction::is_nan:
        case ScalarFunction::equal:
        case ScalarFunction::not_equal:
        case ScalarFunction::less:
        case ScalarFunction::less_equal:
        case ScalarFunction::greater:
        case ScalarFunction::greater_equal:
        case ScalarFunction::logical_and:
        case ScalarFunction::logical_or:
        case ScalarFunction::logical_not:
        case ScalarFunction::hamming:
            return true;
        // Their float kernels keep the bounds that docs/numerics.md states for float results.
        case ScalarFunction::exp:
        case ScalarFunction::log:
        case ScalarFunction::log10:
        case ScalarFunction::tanh:
        case ScalarFunction::sigmoid:
        case ScalarFunction::elu:
        case ScalarFunction::erf:
            return true;
        default:
            return false;
    }
}

// What the operand was before it was widened to double, or the operand if it is a number that a float holds.
std::optional<ir::NodeId> as_float(const ir::Graph &graph, ir::NodeId operand) {
    const ir::Node &node = graph[operand];
    const bool widened = node.op == ir::Op::cast && node.type->cell_type() == CellType::f64;
    if (widened && graph[node.operands[0]].type->cell_type() != CellType::f64) {
        return node.operands[0];
    }
    if (node.op == ir::Op::constant && !node.attributes->value) {
        const double number = node.attributes->number;
        if (static_cast<double>(static_cast<float>(number)) == number || std::isnan(number)) {
            return operand;
        }
    }
    return std::nullopt;
}

}  // namespace

void narrow(ir::Graph &graph) {
    rewrite(graph, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node &node = graph[id];
        if (node.op != ir::Op::cast || node.type->cell_type() != CellType::f32) {
            return std::nullopt;
        }
        const ir::Node computed = graph[operands[0]];
        if (computed.type->cell_type() != CellType::f64) {
            return std::nullopt;
        }
        if (computed.op == ir::Op::cast && graph[computed.operands[0]].type->cell_type() == CellType::f32) {
            return computed.operands[0];  // widened and rounded: as it was
        }
        if (computed.op != ir::Op::apply || !is_same_in_float(computed.attributes->function)) {
            return std::nullopt;
        }
        std::vector<ir::NodeId> narrowed;
        for (const ir::NodeId operand : computed.operands) {
            const std::optional<ir::NodeId> source = as_float(graph, operand);
            if (!source) {
                return std::nullopt;
            }
            narrowed.push_back(*source);
        }
        const TensorType type = *node.type;
        return graph.add(ir::Op::apply, type, narrowed, *computed.attributes, node.span);
    });
}

}  // namespace tenrex::optimizer
