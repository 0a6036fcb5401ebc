// The value of scalar code that depends on nothing.
#pragma once

#include <optional>

#include "lib/sema/typed_ast.h"

namespace tenrex::sema {

// Nothing if the value depends on an input, a parameter or a function of the user.
std::optional<double> constant_value(const Expr &expr);

}  // namespace tenrex::sema
