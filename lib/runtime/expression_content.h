// What an expression holds, for those who compile it.
#pragma once

#include <tenrex/expression.h>

#include "lib/sema/typed_ast.h"
#include "lib/syntax/ast.h"

namespace tenrex {

struct Expression::Content {
    syntax::Ast ast;
    sema::TypedExpression typed;
    ExpressionOptions options;
};

}  // namespace tenrex
