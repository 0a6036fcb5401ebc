// Generators that the documents split: choices by comparisons of an index with a number, and peeks at indexes to which
// a number is added. Their places are listed piece by piece.
#include <algorithm>

#include "lib/ir/index_vector.h"
#include "lib/plan/gather_steps.h"
#include "lib/plan/lowering.h"

namespace tenrex::plan {

namespace {

bool is_order(ScalarFunction function) {
    return function == ScalarFunction::less || function == ScalarFunction::less_equal ||
           function == ScalarFunction::greater || function == ScalarFunction::greater_equal;
}

}  // namespace

// The index of a dimension, and numbers that are added to it one after the other, in double.
std::optional<Lowering::IndexSum> Lowering::index_sum(ir::NodeId id) const {
    IndexSum sum;
    while (graph_[id].op == ir::Op::apply && sum.size() < SplitSum::most_terms) {
        const ir::Node &node = graph_[id];
        const bool adds = node.as<ir::Apply>().function == ScalarFunction::add;
        if ((!adds && node.as<ir::Apply>().function != ScalarFunction::subtract) ||
            node.type->cell_type() != CellType::f64) {
            return std::nullopt;
        }
        const std::size_t number = adds && type(node.operands[0]).is_scalar() ? 0 : 1;
        if (!type(node.operands[number]).is_scalar()) {
            return std::nullopt;
        }
        sum.emplace_back(node.operands[number], !adds);
        id = node.operands[1 - number];
    }
    if (type(id).block_cells() == 1 || type(id).cell_type() != CellType::f64 || !ir::index_dimension(graph_[id])) {
        return std::nullopt;
    }
    std::reverse(sum.begin(), sum.end());
    return sum;
}

bool Lowering::has_splits(const ir::Node &node) const {
    if (node.op == ir::Op::select) {
        const ir::Node &condition = graph_[node.operands[0]];
        return condition.type->is_scalar() ||
               (condition.op == ir::Op::apply && is_order(condition.as<ir::Apply>().function) &&
                type(condition.operands[1]).is_scalar() && index_sum(condition.operands[0]));
    }
    if (node.op != ir::Op::peek || node.operands.size() != 2 || type(node.operands[0]).has_mapped()) {
        return false;
    }
    // Nothing but cells along one dimension.
    const TensorType &source = type(node.operands[0]);
    std::size_t cells = 1;
    for (const Dimension &dimension : source.dimensions()) {
        cells *= node.type->find(dimension.name) ? dimension.size : 1;
    }
    return cells == 1 && index_sum(node.operands[1]);
}

std::vector<ir::NodeId> Lowering::numbers_of_splits(const ir::Node &node) const {
    std::vector<ir::NodeId> numbers;
    ir::NodeId indexes = node.operands[1];
    if (node.op == ir::Op::select) {
        if (type(node.operands[0]).is_scalar()) {
            return {node.operands[0]};
        }
        indexes = graph_[node.operands[0]].operands[0];
        numbers.push_back(graph_[node.operands[0]].operands[1]);
    }
    const std::optional<IndexSum> sum = index_sum(indexes);
    for (const auto &[number, is_subtracted] : *sum) {
        numbers.push_back(number);
    }
    return numbers;
}

SplitSum Lowering::split_sum(ir::NodeId id) {
    SplitSum sum;
    const std::optional<IndexSum> terms = index_sum(id);
    for (const auto &[number, is_subtracted] : *terms) {
        sum.terms.push_back({own_use(number, CellType::f64), is_subtracted});
    }
    return sum;
}

CellsSlot Lowering::list_pieces(const ir::Node &node, const Gather &gather) {
    SplitRule rule;
    rule.cells = node.type->block_cells();
    rule.sources = static_cast<std::uint32_t>(gather.sources.size());
    const std::vector<Dimension> &dimensions = node.type->dimensions();
    const auto along = std::find_if(dimensions.begin(), dimensions.end(),
                                    [](const Dimension &dimension) { return dimension.size > 1; });
    for (const Gather::Operation &part : gather.operations) {
        const ir::Node &own = graph_[part.node];
        SplitRule::Operation &operation = rule.operations.emplace_back();
        if (part.is_part && own.op == ir::Op::select) {
            const ir::NodeId condition = own.operands[0];
            operation.when = part.when;
            if (type(condition).is_scalar()) {
                operation.kind = SplitRule::Kind::choice;
                operation.number = own_use(condition, CellType::f64);
                continue;
            }
            operation.kind = SplitRule::Kind::comparison;
            operation.comparison = graph_[condition].as<ir::Apply>().function;
            operation.index = split_sum(graph_[condition].operands[0]);
            operation.number = own_use(graph_[condition].operands[1], CellType::f64);
            continue;
        }
        const ir::NodeId source = part.is_part ? own.operands[0] : part.node;
        const auto found = std::find(gather.sources.begin(), gather.sources.end(), source);
        operation.source = static_cast<std::uint32_t>(found - gather.sources.begin());
        operation.stride = stride_of(type(source), along->name);
        if (!part.is_part) {
            continue;
        }
        operation.kind = SplitRule::Kind::peek;
        operation.index = split_sum(own.operands[1]);
        for (const ir::PeekPart &peeked : own.as<ir::Peek>().parts) {
            const std::size_t stride = stride_of(type(source), peeked.dimension);
            if (peeked.computed == 0) {
                operation.base += peeked.index * stride;
            } else {
                operation.stride = stride;
                operation.size = type(source).dimensions()[*type(source).find(peeked.dimension)].size;
            }
        }
    }
    const CellsSlot places = new_planned(node.stage, ListPiecesStep::bytes(rule));
    add_step<ListPiecesStep>(node.stage, std::move(rule), places);
    return places;
}

}  // namespace tenrex::plan
