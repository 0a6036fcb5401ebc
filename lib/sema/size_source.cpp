#include "lib/sema/size_source.h"

#include <algorithm>
#include <iterator>

#include "lib/support/format.h"

namespace tenrex::sema {

namespace {

bool has(const Expr *expr, std::string_view dimension) {
    return expr != nullptr && expr->type->find(dimension).has_value();
}

// The operand that has the dimension, which may have another name there; null if the node itself makes it.
const Expr *operand_with(const Expr &expr, std::string_view &dimension) {
    switch (expr.op) {
        case Op::call:
            return has(as<CallExpr>(expr).a, dimension) ? as<CallExpr>(expr).a : as<CallExpr>(expr).b;
        case Op::user_call: {
            const auto &arguments = as<UserCallExpr>(expr).arguments;
            return *std::find_if(arguments.begin(), std::prev(arguments.end()),
                                 [&](const Expr *argument) { return has(argument, dimension); });
        }
        case Op::join:
        case Op::merge:
            return has(as<JoinExpr>(expr).a, dimension) ? as<JoinExpr>(expr).a : as<JoinExpr>(expr).b;
        case Op::concat: {
            const auto &concat = as<ConcatExpr>(expr);
            return concat.dimension == dimension ? nullptr : has(concat.a, dimension) ? concat.a : concat.b;
        }
        case Op::in_set:
            return as<InExpr>(expr).subject;
        case Op::map:
        case Op::filter_subspaces:
            return as<MapExpr>(expr).operand;
        case Op::reduce:
            return as<ReduceExpr>(expr).operand;
        case Op::rename:
            dimension = old_name(as<RenameExpr>(expr), dimension);
            return as<RenameExpr>(expr).operand;
        case Op::cell_cast:
            return as<CellCastExpr>(expr).operand;
        case Op::cell_order:
            return as<CellOrderExpr>(expr).operand;
        case Op::peek: {
            const auto &peek = as<PeekExpr>(expr);
            const bool goes = std::any_of(peek.parts.begin(), peek.parts.end(),
                                          [&](const PeekPart &part) { return part.dimension == dimension; });
            if (!goes && has(peek.operand, dimension)) {
                return peek.operand;
            }
            const auto indexes = std::find_if(peek.parts.begin(), peek.parts.end(),
                                              [&](const PeekPart &part) { return has(part.expression, dimension); });
            return indexes == peek.parts.end() ? nullptr : indexes->expression;
        }
        default:
            return nullptr;
    }
}

}  // namespace

std::string size_source(const TypedExpression &expression, const Expr &expr, std::string_view dimension) {
    const Expr *source = &expr;
    while (const Expr *operand = operand_with(*source, dimension)) {
        source = operand;
    }
    switch (source->op) {
        case Op::input:
            return fmt::format("'{}'", expression.inputs()[as<InputExpr>(*source).input].name);
        case Op::concat:
            return "a concat";
        case Op::conditional:
            return "an if";
        case Op::parameter:
            return "the parameter of a lambda";
        default:
            return "a tensor of the expression";
    }
}

}  // namespace tenrex::sema
