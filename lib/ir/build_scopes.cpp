#include <algorithm>
#include <numeric>
#include <utility>

#include "lib/ir/builder.h"
#include "lib/ir/worklist.h"
#include "lib/support/format.h"
#include "lib/types/derived_type.h"

namespace tenrex::ir {

using sema::as;
using sema::Expr;

namespace {

// Which parameters a scalar lambda body reads. One that it does not read still takes part in the join.
std::vector<bool> used_parameters(const sema::LambdaExpr &lambda) {
    std::vector<bool> used(lambda.parameter_count);
    Worklist work(*lambda.body);
    while (const Expr *const expr = work.next()) {
        if (expr->op == sema::Op::parameter) {
            used[as<sema::ParameterExpr>(*expr).slot] = true;
        }
        work.add_operands(*expr);
    }
    return used;
}

// Whether blocks of a value may exist for some elements of a generator's scope and not for others: then the scope
// dimensions must be mapped.
bool needs_mapped_scope(const Expr &body) {
    Worklist work(body);
    while (const Expr *const expr = work.next()) {
        if (expr->op == sema::Op::filter_subspaces ||
            (expr->op == sema::Op::conditional && (expr->type->has_mapped() || expr->type->has_open()))) {
            return true;
        }
        if (expr->op == sema::Op::peek && expr->type->has_mapped()) {
            const auto &parts = as<sema::PeekExpr>(*expr).parts;
            if (std::any_of(parts.begin(), parts.end(), [](const auto &part) { return part.expression != nullptr; })) {
                return true;
            }
        }
        if (expr->op == sema::Op::generate) {
            work.add(*as<sema::GenerateExpr>(*expr).body);
        }
        if (expr->op == sema::Op::map_subspaces) {
            work.add(*as<sema::MapExpr>(*expr).lambda.body);
        }
        work.add_operands(*expr);
    }
    return false;
}

}  // namespace

Tensor index_vector(const std::string &name, std::uint64_t size, bool mapped) {
    TensorBuilder builder(known_type(CellType::f64, {{name, mapped ? 0 : size}}));
    for (std::uint64_t i = 0; i < size; ++i) {
        if (mapped) {
            const std::string label = std::to_string(i);
            const std::string_view address[] = {label};
            builder.set(builder.block(address), 0, static_cast<double>(i));
        } else {
            builder.set(0, i, static_cast<double>(i));
        }
    }
    return std::move(builder).build();
}

NodeId Builder::scalar_body(const sema::LambdaExpr &lambda, std::span<const NodeId> operands) {
    Scope inner;
    for (NodeId operand : operands) {
        inner.slots.push_back(cast(operand, CellType::f64));
    }
    const bool is_inside = std::exchange(in_scalar_lambda_, true);
    NodeId result = build(*lambda.body, inner);
    in_scalar_lambda_ = is_inside;
    const std::vector<bool> used = used_parameters(lambda);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!used[i]) {
            result = join_addresses(result, operands[i]);
        }
    }
    return result;
}

NodeId Builder::map(const sema::MapExpr &expr, const Scope &scope) {
    const NodeId operand = at(*expr.operand, scope);
    return cast(scalar_body(expr.lambda, {&operand, 1}), expr.type->cell_type());
}

NodeId Builder::join(const sema::JoinExpr &expr, const Scope &scope) {
    const NodeId operands[] = {at(*expr.a, scope), at(*expr.b, scope)};
    return cast(scalar_body(expr.lambda, operands), expr.type->cell_type());
}

NodeId Builder::merge(const sema::JoinExpr &expr, const Scope &scope) {
    NodeId operands[] = {at(*expr.a, scope), at(*expr.b, scope)};
    align(operands, scope);
    const CellType cell_type = expr.type->cell_type();
    const NodeId both = cast(scalar_body(expr.lambda, operands), cell_type);
    if (!type(both).has_mapped()) {
        return both;
    }
    return add(Op::merge, cell_type, {cast(operands[0], cell_type), cast(operands[1], cell_type), both});
}

NodeId Builder::block_body(const sema::MapExpr &expr, NodeId operand, const Scope &scope) {
    const TensorType &block_source = *expr.operand->type;
    Scope inner;
    // Of a value without indexed dimensions each block is one number, a double.
    inner.slots.push_back(block_source.has_indexed() ? operand : cast(operand, CellType::f64));
    // Also a value without mapped dimensions of its own may have those of the scopes around it.
    if (type(operand).has_mapped()) {
        inner.anchor = without_rows(operand);
    }
    if (!block_source.has_mapped()) {
        inner.anchor = scope.anchor;  // one block for each element of the scope
        return build(*expr.lambda.body, inner);
    }
    const NodeId result = build(*expr.lambda.body, inner);
    if (!lacks_scope_dimension(result, operand)) {
        return result;
    }
    // The body does not look at its block: the same for every block.
    NodeId results[] = {result, operand};
    align(results, inner);
    return results[0];
}

NodeId Builder::body_of_blocks(const sema::MapExpr &expr, NodeId operand, const Scope &scope) {
    std::vector<std::string> names, scope_names;
    for (const Dimension &dimension : expr.operand->type->dimensions()) {
        if (dimension.is_mapped()) {
            names.push_back(dimension.name);
            scope_names.push_back(fresh_name());
        }
    }
    if (names.empty()) {
        return block_body(expr, operand, scope);
    }
    const NodeId result = block_body(expr, rename(operand, names, scope_names), scope);
    return rename(result, std::move(scope_names), std::move(names));
}

NodeId Builder::map_subspaces(const sema::MapExpr &expr, const Scope &scope) {
    return cast(body_of_blocks(expr, at(*expr.operand, scope), scope), expr.type->cell_type());
}

NodeId Builder::filter_subspaces(const sema::MapExpr &expr, const Scope &scope) {
    const NodeId operand = at(*expr.operand, scope);
    return filter(operand, body_of_blocks(expr, operand, scope));
}

NodeId Builder::generate(const sema::GenerateExpr &expr, Scope &scope) {
    const bool mapped = needs_mapped_scope(*expr.body);
    const std::vector<Dimension> &dimensions = expr.type->dimensions();
    std::vector<std::string> names, scope_names;
    std::vector<NodeId> indexes;  // by dimension of the type: the index of each cell
    for (const Dimension &dimension : dimensions) {
        if (dimension.size > most_indexes_) {
            fail_too_large(fmt::format("dimension {} of a generator has {} indexes; the limit evaluation_cells is {}",
                                       dimension.name, dimension.size, most_indexes_),
                           "make the tensors smaller, or raise the limit evaluation_cells");
            return graph_.constant(0);
        }
        names.push_back(dimension.name);
        scope_names.push_back(fresh_name());
        indexes.push_back(graph_.constant(index_vector(scope_names.back(), dimension.size, mapped)));
    }
    Scope inner;
    // One that reads no index of the generators around it may be built where they are not.
    const std::size_t known = std::min<std::size_t>(expr.first_slot, scope.slots.size());
    inner.slots.assign(scope.slots.begin(), scope.slots.begin() + static_cast<std::ptrdiff_t>(known));
    inner.slots.resize(expr.first_slot);
    for (std::uint32_t position : expr.dimensions) {
        inner.slots.push_back(indexes[position]);
    }
    inner.anchor = scope.anchor;
    inner.outer = scope.outer != nullptr ? scope.outer : &scope;
    if (mapped) {
        NodeId anchor = indexes.front();
        for (NodeId index : std::span(indexes).subspan(1)) {
            anchor = join_addresses(anchor, index);
        }
        inner.anchor = scope.anchor ? join_addresses(anchor, *scope.anchor) : anchor;
    }
    NodeId result = build(*expr.body, inner);
    for (NodeId index : indexes) {
        if (lacks_scope_dimension(result, index)) {
            result = join_addresses(result, index);
        }
    }
    if (mapped) {
        ToIndexed change;
        for (std::size_t i = 0; i < dimensions.size(); ++i) {
            change.dimensions.push_back({scope_names[i], dimensions[i].size});
        }
        result = add(Op::to_indexed, type(result).cell_type(), {result}, std::move(change));
    }
    return cast(rename(result, std::move(scope_names), std::move(names)), expr.type->cell_type());
}

}  // namespace tenrex::ir
