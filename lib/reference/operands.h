// The operands and bodies of a node of the typed tree, whatever its operation.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lib/sema/typed_ast.h"

namespace tenrex::reference {

// How many operands there are; operand() may be null for some of them.
std::size_t operand_count(const sema::Expr &expr) noexcept;
const sema::Expr *operand(const sema::Expr &expr, std::size_t number) noexcept;
// The body of a lambda or generator, null if the operation has none.
const sema::Expr *body(const sema::Expr &expr) noexcept;

// What a reduction computes as it goes on, since nothing else reads it: a join of two values, or what is done to the
// cells of one value, and further operations on each cell. The median is left alone, as it stores what it gets.
struct Reduced {
    struct Step {
        const sema::Expr *expr;
        std::optional<std::size_t> scalar;  // which operand is one that is joined with the cells
    };
    const sema::Expr *join = nullptr;  // null: none
    std::vector<Step> steps;
    // What must be known before: the join's or the one value, then the scalars of the steps.
    std::vector<const sema::Expr *> operands;
};
Reduced reduced_by(const sema::ReduceExpr &reduce);

}  // namespace tenrex::reference
