#include <algorithm>

#include "lib/ir/builder.h"
#include "lib/storage/open_rows.h"
#include "lib/support/format.h"

namespace tenrex::ir {

using sema::as;

NodeId Builder::input(std::uint32_t index) {
    const sema::InputUse &use = expression_.inputs()[index];
    if (use.value != nullptr) {
        return graph_.constant(*use.value);
    }
    if (!inputs_[index]) {
        const auto known = input_index_.find(use.name);
        std::optional<TensorType> as_declared;
        if (use.type.has_open()) {
            as_declared = declared(use.type, fmt::format("the input '{}'", use.name));
        }
        inputs_[index] = known != input_index_.end()
                             ? known->second
                             : graph_.add_input({use.name, type_of_rows(use.type), use.stage, std::move(as_declared)});
    }
    const NodeId node = graph_.input(*inputs_[index]);
    note_sizes(node, sizes_of_input(node, use));
    return node;
}

NodeId Builder::conditional(const sema::IfExpr &expr, const Scope &scope) {
    const NodeId condition = at(*expr.condition, scope);
    NodeId branches[] = {at(*expr.when_true, scope), at(*expr.when_false, scope)};
    const Choice choice{expr.probability};
    if (!expr.type->has_mapped() && !expr.type->has_open()) {
        const NodeId operands[] = {condition, branches[0], branches[1]};
        return add(Op::select, expr.type->cell_type(), operands, choice);
    }
    // The branches may have different addresses, so cells cannot be selected one by one.
    align(branches, scope);
    if (!has_scope_dimension(condition)) {
        return add(Op::branch, expr.type->cell_type(), {condition, branches[0], branches[1]}, choice);
    }
    // Different elements of the scope choose differently: the blocks of one branch and those of the other.
    const NodeId when_true = filter(branches[0], condition);
    const NodeId when_false = filter(branches[1], apply(ScalarFunction::logical_not, CellType::f64, {condition}));
    return add(Op::merge, expr.type->cell_type(), {when_true, when_false, when_true});
}

NodeId Builder::reduce(const sema::ReduceExpr &expr, const Scope &scope) {
    NodeId operand = at(*expr.operand, scope);
    if (expr.dimensions.empty()) {
        // Of a scalar: the aggregate of one cell.
        return expr.aggregator == Aggregator::count ? graph_.constant(1) : operand;
    }
    const std::vector<std::string> over(expr.dimensions.begin(), expr.dimensions.end());
    const TensorType &from = *expr.operand->type;
    const bool rows_go = from.open_count() != expr.type->open_count();
    // Zeros add nothing to a sum of all rows.
    if (expr.aggregator == Aggregator::sum && rows_go && !expr.type->has_open() && graph_[operand].op == Op::fill &&
        !from.has_mapped() && !has_scope_dimension(operand)) {
        operand = graph_[operand].operands[0];
    }
    const NodeId result = aggregate(operand, expr.aggregator, over, expr.type->cell_type());
    const bool labels_go = from.has_mapped() && !expr.type->has_mapped();
    if ((rows_go || labels_go) && expr.type->has_open() && !expr.type->has_mapped()) {
        if (has_scope_dimension(result)) {
            fail_open("an aggregate of some of several open dimensions, for each block or cell of others,");
            return result;
        }
        return filled_rows(result);
    }
    const bool may_be_empty = (from.has_mapped() || from.has_open()) && !expr.type->has_mapped();
    return may_be_empty ? filled(result, scope) : result;
}

NodeId Builder::concat(const sema::ConcatExpr &expr, const Scope &scope) {
    if (expr.type->dimensions()[*expr.type->find(expr.dimension)].is_open()) {
        return append(expr, scope);
    }
    const NodeId operands[] = {at(*expr.a, scope), at(*expr.b, scope)};
    return add(Op::concat, expr.type->cell_type(), operands, Concat{std::string(expr.dimension)});
}

NodeId Builder::order(const sema::CellOrderExpr &expr, const Scope &scope) {
    const NodeId operand = at(*expr.operand, scope);
    Order order;
    order.ascending = expr.ascending;
    const TensorType &ranked = *expr.operand->type;
    order.by_number = ranked.has_open();
    if (ranked.has_open() && (ranked.has_mapped() || ranked.open_count() != 1 || !ranked.dimensions()[0].is_open())) {
        fail_open("an order of cells whose open dimension is not the first one by name");
    }
    for (const Dimension &dimension : expr.operand->type->dimensions()) {
        order.dimensions.push_back(dimension.name);
    }
    return add(Op::order, expr.type->cell_type(), {operand}, std::move(order));
}

NodeId Builder::literal(const sema::LiteralExpr &expr, const Scope &scope) {
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
        values.push_back(at(*cell.value, scope));
    }
    align(values, scope);
    return add(Op::pack, expr.type->cell_type(), values, std::move(pack));
}

namespace {

bool has_indexes(const sema::PeekExpr &expr) {
    return std::any_of(expr.parts.begin(), expr.parts.end(), [](const sema::PeekPart &part) {
        return part.expression != nullptr && !part.expression->type->is_scalar();
    });
}

// Whether a tensor of indexes has a dimension of that name.
bool has_index_along(const sema::PeekExpr &expr, std::string_view dimension) {
    return std::any_of(expr.parts.begin(), expr.parts.end(), [&](const sema::PeekPart &part) {
        return part.expression != nullptr && part.expression->type->find(dimension);
    });
}

}  // namespace

NodeId Builder::peek(const sema::PeekExpr &expr, const Scope &scope) {
    std::vector<NodeId> operands{at(*expr.operand, scope)};
    Peek peek;
    const bool at_indexes = has_indexes(expr);
    for (const sema::PeekPart &part : expr.parts) {
        PeekPart &known = peek.parts.emplace_back();
        known.dimension = part.dimension;
        if (at_indexes && has_index_along(expr, part.dimension)) {
            known.dimension = fresh_name();
            operands[0] = rename(operands[0], {std::string(part.dimension)}, {known.dimension});
        }
        const bool is_open = size_of(operands[0], known.dimension) != nullptr;
        if (part.expression == nullptr) {
            known.label = is_open ? std::to_string(part.index) : std::string(part.label);
            known.index = is_open ? 0 : part.index;
        } else {
            known.computed = static_cast<std::uint32_t>(operands.size());
            operands.push_back(at(*part.expression, scope));
        }
    }
    const std::span<const OpenSize> open = sizes_of(operands[0]);
    const auto goes = [&](const OpenSize &size) {
        return std::any_of(peek.parts.begin(), peek.parts.end(),
                           [&](const PeekPart &part) { return part.dimension == size.dimension; });
    };
    const bool some_stay = std::any_of(open.begin(), open.end(), goes) && !std::all_of(open.begin(), open.end(), goes);
    const NodeId result = add(Op::peek, expr.type->cell_type(), operands, std::move(peek));
    if (at_indexes && expr.type->has_open()) {
        if (expr.type->has_mapped() || has_scope_dimension(result)) {
            fail_open("a peek at indexes beside labels and open dimensions");
            return result;
        }
        return filled_rows(result);
    }
    if (expr.type->has_open() && !expr.type->has_mapped() && (expr.operand->type->has_mapped() || some_stay)) {
        if (some_stay && has_scope_dimension(result)) {
            fail_open("a peek along one of several open dimensions, for each block or cell of others,");
            return result;
        }
        return filled_rows(result);
    }
    return expr.type->has_mapped() ? result : filled(result, scope);
}

NodeId Builder::to_mapped(const sema::ToMappedExpr &expr, const Scope &scope) {
    if (expr.operand->type->has_open()) {
        fail_open("labels made of an open dimension");
    }
    return add(Op::to_mapped, expr.type->cell_type(), {at(*expr.operand, scope)},
               ToMapped{{expr.dimensions.begin(), expr.dimensions.end()}});
}

NodeId Builder::cut(const sema::CutExpr &expr, const Scope &scope) {
    return add(Op::slice, expr.type->cell_type(), {at(*expr.operand, scope)},
               Slice{std::string(expr.dimension), expr.begin, expr.end - expr.begin});
}

NodeId Builder::forest(const sema::ForestExpr &expr, const Scope &scope) {
    const auto &forests = expression_.forests();
    Forest payload;
    payload.forest =
        *std::find_if(forests.begin(), forests.end(), [&](const auto &forest) { return forest.get() == expr.forest; });
    if (!expr.type->is_scalar()) {
        payload.dimension = expr.type->dimensions().front().name;
    }
    std::vector<NodeId> operands;
    for (const sema::Expr *const feature : expr.features) {
        operands.push_back(at(*feature, scope));
    }
    return add(Op::forest, expr.type->cell_type(), operands, std::move(payload));
}

}  // namespace tenrex::ir
