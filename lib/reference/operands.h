// The operands and bodies of a node of the typed tree, whatever its operation.
#pragma once

#include <cstddef>

#include "lib/sema/typed_ast.h"

namespace tenrex::reference {

// How many operands there are; operand() may be null for some of them.
std::size_t operand_count(const sema::Expr &expr) noexcept;
const sema::Expr *operand(const sema::Expr &expr, std::size_t number) noexcept;
// The body of a lambda or generator, null if the operation has none.
const sema::Expr *body(const sema::Expr &expr) noexcept;

}  // namespace tenrex::reference
