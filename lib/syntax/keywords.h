// What a name means when it is followed by '(': a fast look-up of built-in functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::syntax {

struct Keyword {
    enum Kind : std::uint8_t {
        none,
        scalar_function,  // `scalar`
        tensor_function,  // `tensor`
        extremum,         // min and max, which are both
        conditional,      // if
        switch_case,      // switch
        tensor_type,      // tensor
        truth             // true and false, which are not functions
    };
    std::string_view name;
    Kind kind;
    ScalarFunction scalar;
    TensorFunction tensor;
};

// The keyword of that name, or one of kind `none`.
const Keyword &find_keyword(std::string_view name) noexcept;

}  // namespace tenrex::syntax
