// How functions are called, for hints and help, as far as the tables of functions do not say it.
#pragma once

#include <string_view>

#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::syntax {

inline constexpr std::string_view if_signature = "if(condition, a, b [, probability])";
inline constexpr std::string_view switch_signature = "switch(value){case a: x, default: y}";

// Of min or max, which are scalar functions as well as aggregators.
constexpr std::string_view extremum_signature(TensorFunction function) noexcept {
    return function == TensorFunction::max ? "max(a, b) or max(t [, dimension]*)"
                                           : "min(a, b) or min(t [, dimension]*)";
}

// What follows the name of a scalar function.
constexpr std::string_view scalar_signature(ScalarFunction function) noexcept {
    return info(function).arity == 1 ? "(a)" : "(a, b)";
}

}  // namespace tenrex::syntax
