// Typed tree to text, for tests and debugging.
#pragma once

#include <string>

#include "lib/sema/typed_ast.h"

namespace tenrex::sema {

// One line in the core language. A node that is used more than once is written out where it first occurs, behind
// "%n:"; after that it is "%n": softmax(t,x) is "%1:exp(t)/reduce(%1,sum,x)". Nested operators are in parentheses.
std::string to_string(const TypedExpression &expression);

}  // namespace tenrex::sema
