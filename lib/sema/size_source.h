// Where the size of a dimension comes from, for messages about sizes that differ.
#pragma once

#include <string>
#include <string_view>

#include "lib/sema/typed_ast.h"

namespace tenrex::sema {

// The input whose dimension it is, in quotes: "'query(q)'"; or what else makes it: "a concat".
std::string size_source(const TypedExpression &expression, const Expr &expr, std::string_view dimension);

}  // namespace tenrex::sema
