// Which parts of an expression mean the same wherever they stand: they read no index of a generator around them.
#pragma once

#include <vector>

#include "lib/sema/typed_ast.h"

namespace tenrex::ir {

// By Expr::id: whether the node reads no parameter of the scope that it stands in. Numbers, inputs and constants, which
// are nodes of the graph anyway, do not count.
std::vector<bool> closed_expressions(const sema::TypedExpression &expression);

// Appends the largest closed parts of the body of a generator.
void add_closed_parts(const sema::GenerateExpr &generator, const std::vector<bool> &closed,
                      std::vector<const sema::Expr *> &parts);

}  // namespace tenrex::ir
