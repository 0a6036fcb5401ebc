#include <algorithm>

#include "lib/ir/builder.h"

namespace tenrex::ir {

using sema::as;

NodeId Builder::input(std::uint32_t index) {
    const sema::InputUse &use = expression_.inputs()[index];
    if (use.value != nullptr) {
        return graph_.constant(*use.value);
    }
    if (!inputs_[index]) {
        const auto known = input_index_.find(use.name);
        inputs_[index] =
            known != input_index_.end() ? known->second : graph_.add_input({use.name, use.type, use.stage});
    }
    return graph_.input(*inputs_[index]);
}

NodeId Builder::conditional(const sema::IfExpr &expr, const Frame &frame) {
    const NodeId condition = at(*expr.condition, frame);
    NodeId branches[] = {at(*expr.when_true, frame), at(*expr.when_false, frame)};
    const Choice choice{expr.probability};
    if (!expr.type->has_mapped()) {
        const NodeId operands[] = {condition, branches[0], branches[1]};
        return add(Op::select, expr.type->cell_type(), operands, choice);
    }
    // The branches may have different addresses, so cells cannot be selected one by one.
    align(branches, frame);
    if (!has_frame_dimension(condition)) {
        return add(Op::branch, expr.type->cell_type(), {condition, branches[0], branches[1]}, choice);
    }
    // Different elements of the frame choose differently: the blocks of one branch and those of the other.
    const NodeId when_true = filter(branches[0], condition);
    const NodeId when_false = filter(branches[1], apply(ScalarFunction::logical_not, CellType::f64, {condition}));
    return add(Op::merge, expr.type->cell_type(), {when_true, when_false, when_true});
}

NodeId Builder::reduce(const sema::ReduceExpr &expr, const Frame &frame) {
    const NodeId operand = at(*expr.operand, frame);
    if (expr.dimensions.empty()) {
        // Of a scalar: the aggregate of one cell.
        return expr.aggregator == Aggregator::count ? graph_.constant(1) : operand;
    }
    const NodeId result =
        aggregate(operand, expr.aggregator, {expr.dimensions.begin(), expr.dimensions.end()}, expr.type->cell_type());
    const bool may_be_empty = expr.operand->type->has_mapped() && !expr.type->has_mapped();
    return may_be_empty ? filled(result, frame) : result;
}

NodeId Builder::concat(const sema::ConcatExpr &expr, const Frame &frame) {
    const NodeId operands[] = {at(*expr.a, frame), at(*expr.b, frame)};
    return add(Op::concat, expr.type->cell_type(), operands, Concat{std::string(expr.dimension)});
}

NodeId Builder::order(const sema::CellOrderExpr &expr, const Frame &frame) {
    const NodeId operand = at(*expr.operand, frame);
    Order order;
    order.ascending = expr.ascending;
    for (const Dimension &dimension : expr.operand->type->dimensions()) {
        order.dimensions.push_back(dimension.name);
    }
    return add(Op::order, expr.type->cell_type(), {operand}, std::move(order));
}

NodeId Builder::literal(const sema::LiteralExpr &expr, const Frame &frame) {
    const bool known = std::all_of(expr.cells.begin(), expr.cells.end(), [](const sema::LiteralCellExpr &cell) {
        return cell.value->op == sema::Op::number;
    });
    if (known) {
        TensorBuilder builder(*expr.type);
        for (const sema::LiteralCellExpr &cell : expr.cells) {
            builder.set(builder.block(cell.labels), cell.index, as<sema::NumberExpr>(*cell.value).value);
        }
        return graph_.constant(std::move(builder).build());
    }
    std::vector<NodeId> values;
    Pack pack;
    pack.dimensions = expr.type->dimensions();
    std::unordered_map<std::string, std::uint32_t> blocks;
    for (const sema::LiteralCellExpr &cell : expr.cells) {
        std::string key;
        for (std::string_view label : cell.labels) {
            key.append(std::to_string(label.size())).append(":").append(label);
        }
        const auto [found, is_new] = blocks.emplace(std::move(key), static_cast<std::uint32_t>(blocks.size()));
        if (is_new) {
            pack.addresses.emplace_back(cell.labels.begin(), cell.labels.end());
        }
        pack.cells.push_back({found->second, cell.index});
        values.push_back(at(*cell.value, frame));
    }
    align(values, frame);
    return add(Op::pack, expr.type->cell_type(), values, std::move(pack));
}

NodeId Builder::peek(const sema::PeekExpr &expr, const Frame &frame) {
    std::vector<NodeId> operands{at(*expr.operand, frame)};
    Peek peek;
    for (const sema::PeekPart &part : expr.parts) {
        PeekPart &known = peek.parts.emplace_back();
        known.dimension = part.dimension;
        if (part.expression == nullptr) {
            known.label = part.label;
            known.index = part.index;
        } else {
            known.computed = static_cast<std::uint32_t>(operands.size());
            operands.push_back(at(*part.expression, frame));
        }
    }
    const NodeId result = add(Op::peek, expr.type->cell_type(), operands, std::move(peek));
    return expr.type->has_mapped() ? result : filled(result, frame);
}

NodeId Builder::to_mapped(const sema::ToMappedExpr &expr, const Frame &frame) {
    return add(Op::to_mapped, expr.type->cell_type(), {at(*expr.operand, frame)},
               ToMapped{{expr.dimensions.begin(), expr.dimensions.end()}});
}

NodeId Builder::cut(const sema::CutExpr &expr, const Frame &frame) {
    return add(Op::slice, expr.type->cell_type(), {at(*expr.operand, frame)},
               Slice{std::string(expr.dimension), expr.begin, expr.end - expr.begin});
}

NodeId Builder::forest(const sema::ForestExpr &expr, const Frame &frame) {
    const auto &forests = expression_.forests();
    Forest payload;
    payload.forest =
        *std::find_if(forests.begin(), forests.end(), [&](const auto &forest) { return forest.get() == expr.forest; });
    if (!expr.type->is_scalar()) {
        payload.dimension = expr.type->dimensions().front().name;
    }
    std::vector<NodeId> operands;
    for (const sema::Expr *const feature : expr.features) {
        operands.push_back(at(*feature, frame));
    }
    return add(Op::forest, expr.type->cell_type(), operands, std::move(payload));
}

}  // namespace tenrex::ir
