// A scalar lambda computes in double and rounds its result. If the operands are floats and the function is one whose
// double result rounds to the float result, float arithmetic gives the same cells with half the work. That holds for
// one operation; a second one would see the first rounded. Choices and signs change no digit, so they may follow.
#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/support/function_facts.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

class Demoter {
public:
    explicit Demoter(ir::Graph &graph) : graph_(graph) {}

    // A node with the cells of the double one, rounded to float; nothing if that takes arithmetic in double.
    std::optional<ir::NodeId> rounded(ir::NodeId id) {
        if (const auto source = as_float(id)) {
            return source;
        }
        const ir::Node node = graph_[id];  // a copy: adding nodes moves them
        if (node.type->is_scalar()) {
            return std::nullopt;
        }
        if (node.op == ir::Op::select) {
            return choice(node);
        }
        if (node.op != ir::Op::apply) {
            return std::nullopt;
        }
        const InFloat in_float_arithmetic = facts(node.as<ir::Apply>().function).in_float;
        if (in_float_arithmetic != InFloat::differs) {
            if (const auto operands = all(node.operands, [&](ir::NodeId operand) { return as_float(operand); })) {
                return graph_.add(ir::Op::apply, CellType::f32, *operands, *node.payload, node.span);
            }
        }
        if (in_float_arithmetic == InFloat::sign) {
            if (const auto operand = rounded(node.operands[0])) {
                return graph_.add(ir::Op::apply, CellType::f32, {&*operand, 1}, *node.payload, node.span);
            }
        }
        return std::nullopt;
    }

private:
    // What the operand was before it was widened to double, or the operand if it is a number that a float holds. What
    // moves cells without computing any moves them before they are widened.
    std::optional<ir::NodeId> as_float(ir::NodeId operand) {
        const ir::Node node = graph_[operand];  // a copy: adding nodes moves them
        const bool widened = node.op == ir::Op::cast && node.type->cell_type() == CellType::f64;
        if (widened && graph_[node.operands[0]].type->cell_type() != CellType::f64) {
            return node.operands[0];
        }
        if (node.is_number()) {
            const double number = node.number();
            if (static_cast<double>(static_cast<float>(number)) == number || std::isnan(number)) {
                return operand;
            }
        }
        const bool peeks = node.op == ir::Op::peek;  // which gives doubles, whatever its operand has
        if (!peeks && !ir::has_trait(node.op, ir::Trait::keeps_cells)) {
            return std::nullopt;
        }
        std::vector<ir::NodeId> operands(node.operands.begin(), node.operands.end());
        auto source = as_float(operands.front());
        if (!source && peeks && graph_[operands.front()].type->cell_type() != CellType::f64) {
            source = operands.front();
        }
        if (!source || graph_[*source].is_number()) {
            return std::nullopt;
        }
        operands.front() = *source;
        return graph_.add(node.op, graph_[*source].type->cell_type(), operands, *node.payload, node.span);
    }

    template <class Demote>
    static std::optional<std::vector<ir::NodeId>> all(std::span<const ir::NodeId> operands, const Demote &demote) {
        std::vector<ir::NodeId> results;
        for (const ir::NodeId operand : operands) {
            const std::optional<ir::NodeId> result = demote(operand);
            if (!result) {
                return std::nullopt;
            }
            results.push_back(*result);
        }
        return results;
    }

    // Rounding a choice is a choice between rounded cells; one of them may come from double.
    std::optional<ir::NodeId> choice(const ir::Node &node) {
        const std::optional<ir::NodeId> condition = condition_of(node.operands[0]);
        if (!condition) {
            return std::nullopt;
        }
        std::optional<ir::NodeId> branches[] = {rounded(node.operands[1]), rounded(node.operands[2])};
        if (!branches[0] && !branches[1]) {
            return std::nullopt;
        }
        for (const std::size_t i : {0, 1}) {
            if (!branches[i]) {
                const ir::NodeId wide = node.operands[i + 1];
                branches[i] = graph_[wide].type->is_scalar()
                                  ? wide
                                  : graph_.add(ir::Op::cast, CellType::f32, {&wide, 1}, {}, node.span);
            }
        }
        const ir::NodeId operands[] = {*condition, *branches[0], *branches[1]};
        return graph_.add(ir::Op::select, CellType::f32, operands, *node.payload, node.span);
    }

    // A node that is 0 where the double one is, and nowhere else.
    std::optional<ir::NodeId> condition_of(ir::NodeId id) {
        if (const auto source = as_float(id)) {
            return source;
        }
        const ir::Node node = graph_[id];
        if (node.type->is_scalar() || node.op != ir::Op::apply) {  // rounded to float, a tiny number may become 0
            return std::nullopt;
        }
        std::optional<std::vector<ir::NodeId>> operands;
        switch (facts(node.as<ir::Apply>().function).in_float) {
            case InFloat::comparison:
                operands = all(node.operands, [&](ir::NodeId operand) { return as_float(operand); });
                break;
            case InFloat::truth:
                operands = all(node.operands, [&](ir::NodeId operand) { return condition_of(operand); });
                break;
            default:
                break;
        }
        if (!operands) {
            return std::nullopt;
        }
        return graph_.add(ir::Op::apply, CellType::f32, *operands, *node.payload, node.span);
    }

    ir::Graph &graph_;
};

}  // namespace

void demote(ir::Graph &graph, PassRun &run) {
    Demoter demoter(graph);
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        const ir::Node node = graph[id];  // a copy: adding nodes moves them
        if (node.op != ir::Op::cast || graph[operands[0]].type->cell_type() != CellType::f64) {
            return std::nullopt;
        }
        const ir::Node computed = graph[operands[0]];
        if (computed.op == ir::Op::cast) {
            // Widened and rounded: as it was, or widened less.
            const ir::NodeId source = computed.operands[0];
            if (graph[source].type->cell_type() == node.type->cell_type()) {
                return source;
            }
            return node.type->cell_type() == CellType::f32
                       ? std::optional(graph.add(ir::Op::cast, *node.type, {&source, 1}, {}, node.span))
                       : std::nullopt;
        }
        if (node.type->cell_type() != CellType::f32 || computed.op == ir::Op::constant) {
            return std::nullopt;
        }
        const std::optional<ir::NodeId> result = demoter.rounded(operands[0]);
        // What only moved cells is as narrow as they are.
        if (!result || graph[*result].type->cell_type() == node.type->cell_type()) {
            return result;
        }
        const ir::NodeId narrow = *result;
        return graph.add(ir::Op::cast, *node.type, {&narrow, 1}, {}, node.span);
    });
}

}  // namespace tenrex::optimizer
