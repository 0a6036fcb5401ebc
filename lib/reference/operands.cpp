#include "lib/reference/operands.h"

#include <algorithm>

namespace tenrex::reference {

using sema::as;
using sema::Expr;
using sema::Op;

std::size_t operand_count(const Expr &expr) noexcept {
    switch (expr.op) {
        case Op::number:
        case Op::input:
        case Op::parameter:
        case Op::generate:
        case Op::constant:
            return 0;
        case Op::call:
            return as<sema::CallExpr>(expr).b == nullptr ? 1 : 2;
        case Op::user_call:
            return as<sema::UserCallExpr>(expr).arguments.size();
        case Op::conditional:
            return 3;
        case Op::join:
        case Op::merge:
        case Op::concat:
            return 2;
        case Op::in_set:
        case Op::map:
        case Op::reduce:
        case Op::rename:
        case Op::cell_cast:
        case Op::cell_order:
        case Op::map_subspaces:
        case Op::filter_subspaces:
        case Op::to_mapped:
        case Op::cut:
            return 1;
        case Op::literal:
            return as<sema::LiteralExpr>(expr).cells.size();
        case Op::forest:
            return as<sema::ForestExpr>(expr).features.size();
        case Op::peek:
            return 1 + as<sema::PeekExpr>(expr).parts.size();
    }
    __builtin_unreachable();
}

const Expr *operand(const Expr &expr, std::size_t number) noexcept {
    switch (expr.op) {
        case Op::number:
        case Op::input:
        case Op::parameter:
        case Op::generate:
        case Op::constant:
            return nullptr;
        case Op::call:
            return number == 0 ? as<sema::CallExpr>(expr).a : as<sema::CallExpr>(expr).b;
        case Op::user_call:
            return as<sema::UserCallExpr>(expr).arguments[number];
        case Op::in_set:
            return as<sema::InExpr>(expr).subject;
        case Op::conditional: {
            const auto &node = as<sema::IfExpr>(expr);
            return number == 0 ? node.condition : (number == 1 ? node.when_true : node.when_false);
        }
        case Op::map:
        case Op::map_subspaces:
        case Op::filter_subspaces:
            return as<sema::MapExpr>(expr).operand;
        case Op::join:
        case Op::merge:
            return number == 0 ? as<sema::JoinExpr>(expr).a : as<sema::JoinExpr>(expr).b;
        case Op::reduce:
            return as<sema::ReduceExpr>(expr).operand;
        case Op::rename:
            return as<sema::RenameExpr>(expr).operand;
        case Op::concat:
            return number == 0 ? as<sema::ConcatExpr>(expr).a : as<sema::ConcatExpr>(expr).b;
        case Op::cell_cast:
            return as<sema::CellCastExpr>(expr).operand;
        case Op::cell_order:
            return as<sema::CellOrderExpr>(expr).operand;
        case Op::literal:
            return as<sema::LiteralExpr>(expr).cells[number].value;
        case Op::peek: {
            const auto &node = as<sema::PeekExpr>(expr);
            return number == 0 ? node.operand : node.parts[number - 1].expression;
        }
        case Op::forest:
            return as<sema::ForestExpr>(expr).features[number];
        case Op::to_mapped:
            return as<sema::ToMappedExpr>(expr).operand;
        case Op::cut:
            return as<sema::CutExpr>(expr).operand;
    }
    __builtin_unreachable();
}

const Expr *body(const Expr &expr) noexcept {
    switch (expr.op) {
        case Op::map:
        case Op::map_subspaces:
        case Op::filter_subspaces:
            return as<sema::MapExpr>(expr).lambda.body;
        case Op::join:
        case Op::merge:
            return as<sema::JoinExpr>(expr).lambda.body;
        case Op::generate:
            return as<sema::GenerateExpr>(expr).body;
        default:
            return nullptr;
    }
}

namespace {

// Operations that compute each cell from one of each operand.
bool is_by_cell(const Expr &expr) noexcept {
    switch (expr.op) {
        case Op::call:
        case Op::in_set:
        case Op::map:
        case Op::join:
        case Op::cell_cast:
            return true;
        case Op::user_call:
            return operand_count(expr) <= 2;
        default:
            return false;
    }
}

}  // namespace

Reduced reduced_by(const sema::ReduceExpr &reduce) {
    Reduced result;
    const Expr *expr = reduce.operand;
    while (reduce.aggregator != Aggregator::median && is_by_cell(*expr) && expr->uses == 1 &&
           !expr->type->is_scalar()) {
        const bool is_join = operand_count(*expr) == 2;
        std::optional<std::size_t> scalar;
        if (is_join && operand(*expr, 0)->type->is_scalar() != operand(*expr, 1)->type->is_scalar()) {
            scalar = operand(*expr, 0)->type->is_scalar() ? 0 : 1;
        }
        if (is_join && !scalar) {
            result.join = expr;
            break;
        }
        result.steps.push_back({expr, scalar});
        expr = operand(*expr, scalar ? 1 - *scalar : 0);
    }
    std::reverse(result.steps.begin(), result.steps.end());
    if (result.join != nullptr) {
        result.operands = {operand(*expr, 0), operand(*expr, 1)};
    } else {
        result.operands = {expr};
    }
    for (const Reduced::Step &step : result.steps) {
        if (step.scalar) {
            result.operands.push_back(operand(*step.expr, *step.scalar));
        }
    }
    return result;
}

}  // namespace tenrex::reference
