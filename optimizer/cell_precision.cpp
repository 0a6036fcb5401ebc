#include "optimizer/cell_precision.h"

#include <algorithm>
#include <iterator>

#include "lib/support/float_range.h"
#include "lib/support/function_facts.h"
#include "optimizer/matcher.h"

namespace tenrex::optimizer {

namespace {

bool takes_nearest(ScalarFunction function) {
    return facts(function).beside_floats == BesideFloats::as_nearest;
}

bool is_product(const ir::Node &node) {
    return applies(node, ScalarFunction::multiply) || applies(node, ScalarFunction::square);
}

// What computes the digits of the node's cells.
ir::NodeId without_signs(const ir::Graph &graph, ir::NodeId id) {
    while (graph[id].op == ir::Op::apply && facts(graph[id].as<ir::Apply>().function).in_float == InFloat::sign) {
        id = graph[id].operands[0];
    }
    return id;
}

}  // namespace

bool CellPrecision::is_float(ir::NodeId id) const {
    const auto holds_floats = [&](ir::NodeId value) {
        const ir::Node &own = graph_[value];
        return own.type->cell_type() != CellType::f64 ||
               (own.is_number() && static_cast<double>(static_cast<float>(own.number())) == own.number());
    };
    const ir::Node &node = graph_[id];
    if (holds_floats(id)) {
        return true;
    }
    switch (node.op) {
        case ir::Op::input:
            return !float_inputs_.empty() && float_inputs_[node.as<ir::Input>().index];
        case ir::Op::gather: {
            const std::span<const ir::NodeId> sources = node.operands.first(node.as<ir::Gather>().source_count());
            return std::all_of(sources.begin(), sources.end(), holds_floats);
        }
        case ir::Op::row_extreme:
            return node.as<ir::RowExtreme>().cell_type != CellType::f64;
        case ir::Op::join_reduce: {
            const ir::JoinReduce &own = node.as<ir::JoinReduce>();
            const bool takes_a_cell = own.aggregator == Aggregator::max || own.aggregator == Aggregator::min;
            return takes_a_cell && own.cell_type != CellType::f64;
        }
        case ir::Op::region: {  // that is reduced
            const ir::Graph &body = *node.as<ir::Region>().body;
            const ir::Node &result = body[body.outputs().front().node];
            return is_extreme(result) && body[result.operands[0]].type->cell_type() != CellType::f64;
        }
        case ir::Op::peek:
        case ir::Op::cast:
            return holds_floats(node.operands[0]);
        default:
            return is_extreme(node) && holds_floats(node.operands[0]);
    }
}

CellType CellPrecision::computed_in(const ir::Node &node) const {
    if (node.type->cell_type() == CellType::f64) {
        return CellType::f64;
    }
    const bool is_sum = node.op == ir::Op::multiply_add;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const ScalarFunction function = !is_sum  ? node.as<ir::Apply>().function
                                        : i == 2 ? ScalarFunction::add
                                                 : ScalarFunction::multiply;
        const ir::Node &source = graph_[node.operands[i]];
        const bool as_float = is_float(node.operands[i]) ||
                              (takes_nearest(function) && (!source.is_number() || has_nearest_float(source.number())));
        if (!as_float) {
            return CellType::f64;
        }
    }
    return CellType::f32;
}

bool CellPrecision::is_unknown_number(ir::NodeId operand) const {
    return !is_float(operand) && !graph_[operand].is_number();
}

std::vector<ir::NodeId> CellPrecision::unknown_numbers(const ir::Node &node) const {
    std::vector<ir::NodeId> numbers;
    if (node.type->cell_type() != CellType::f64) {
        std::copy_if(node.operands.begin(), node.operands.end(), std::back_inserter(numbers),
                     [&](ir::NodeId operand) { return is_unknown_number(operand); });
    }
    return numbers;
}

bool CellPrecision::has_unknown_numbers(const ir::Node &node) const {
    return node.type->cell_type() != CellType::f64 &&
           std::any_of(node.operands.begin(), node.operands.end(),
                       [&](ir::NodeId operand) { return is_unknown_number(operand); });
}

bool CellPrecision::comes_from_int8(ir::NodeId id) const {
    // Operands come before what reads them.
    while (from_int8_.size() <= id) {
        const ir::Node &next = graph_[static_cast<ir::NodeId>(from_int8_.size())];
        from_int8_.push_back(next.type->cell_type() == CellType::i8 ||
                             std::any_of(next.operands.begin(), next.operands.end(),
                                         [&](ir::NodeId operand) { return from_int8_[operand]; }));
    }
    return from_int8_[id];
}

bool CellPrecision::adds_in_float(ir::NodeId id) const {
    const ir::Node &node = graph_[without_signs(graph_, id)];
    if (node.type->cell_type() != CellType::f32) {
        return false;
    }
    switch (node.op) {
        case ir::Op::region:
            return adds_in_float(node, node.as<ir::Region>().body->outputs().front().node);
        case ir::Op::region_result: {
            const ir::Node &region = graph_[node.operands[0]];
            return adds_in_float(region,
                                 region.as<ir::Region>().body->outputs()[node.as<ir::RegionResult>().index].node);
        }
        case ir::Op::multiply_add:
            return true;
        default:
            return node.op == ir::Op::apply &&
                   (!is_product(node) || std::none_of(node.operands.begin(), node.operands.end(),
                                                      [&](ir::NodeId operand) { return comes_from_int8(operand); }));
    }
}

bool CellPrecision::adds_in_float(const ir::Node &region, ir::NodeId in_body) const {
    const ir::Graph &body = *region.as<ir::Region>().body;
    return CellPrecision(body).adds_in_float(in_body) &&
           (!is_product(body[without_signs(body, in_body)]) ||
            std::none_of(region.operands.begin(), region.operands.end(),
                         [&](ir::NodeId operand) { return comes_from_int8(operand); }));
}

}  // namespace tenrex::optimizer
