#include "lib/ir/closed_expressions.h"

#include <algorithm>
#include <limits>

#include "lib/ir/builder.h"
#include "lib/ir/worklist.h"

namespace tenrex::ir {

using sema::as;
using sema::Expr;

namespace {

// The body of a lambda or generator; null: there is none.
const Expr *body_of(const Expr &expr) {
    switch (expr.op) {
        case sema::Op::generate:
            return as<sema::GenerateExpr>(expr).body;
        case sema::Op::map_subspaces:
        case sema::Op::filter_subspaces:
            return as<sema::MapExpr>(expr).lambda.body;
        default:
            return nullptr;  // bodies of scalar lambdas have no generators
    }
}

bool is_leaf(const Expr &expr) {
    return expr.op == sema::Op::number || expr.op == sema::Op::input || expr.op == sema::Op::constant ||
           expr.op == sema::Op::parameter;
}

}  // namespace

std::vector<bool> closed_expressions(const sema::TypedExpression &expression) {
    std::vector<const Expr *> nodes(expression.node_count());
    std::vector<const Expr *> pending{&expression.root()};
    while (!pending.empty()) {
        const Expr &expr = *pending.back();
        pending.pop_back();
        if (nodes[expr.id] != nullptr) {
            continue;
        }
        nodes[expr.id] = &expr;
        add_operands(expr, pending);
        if (const Expr *body = body_of(expr)) {
            pending.push_back(body);
        }
    }
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> lowest(nodes.size(), none);  // slot of the scope that a node reads
    std::vector<bool> closed(nodes.size());
    std::vector<const Expr *> operands;
    for (const Expr *expr : nodes) {  // operands and bodies come before those that have them
        if (expr == nullptr) {
            continue;
        }
        std::uint32_t &slot = lowest[expr->id];
        if (expr->op == sema::Op::parameter) {
            slot = as<sema::ParameterExpr>(*expr).slot;
        } else if (expr->op == sema::Op::generate) {
            const auto &generator = as<sema::GenerateExpr>(*expr);
            const std::uint32_t of_body = lowest[generator.body->id];
            slot = of_body < generator.first_slot ? of_body : none;
        }
        operands.clear();
        add_operands(*expr, operands);
        for (const Expr *operand : operands) {
            slot = std::min(slot, lowest[operand->id]);
        }
        closed[expr->id] = slot == none && !is_leaf(*expr);
    }
    return closed;
}

void add_closed_parts(const sema::GenerateExpr &generator, const std::vector<bool> &closed,
                      std::vector<const Expr *> &parts) {
    Worklist work(*generator.body);
    while (const Expr *const expr = work.next()) {
        if (closed[expr->id]) {
            parts.push_back(expr);
            continue;
        }
        work.add_operands(*expr);
        if (expr->op == sema::Op::generate) {
            work.add(*as<sema::GenerateExpr>(*expr).body);
        }
    }
}

}  // namespace tenrex::ir
