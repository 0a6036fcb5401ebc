// A value with what is right beside it.
#pragma once

#include <tenrex/tensor.h>

namespace tenrex {

// A value of the reference evaluator, and how far a correct evaluation may be from it.
//
//   const auto expected = *expression->evaluate_reference_bounded({{"a", a}, {"b", b}});
//   std::fabs(score - expected.value.as_double()) <= expected.bound.as_double();   // a right score
struct BoundedTensor {
    Tensor value;
    // As double cells, with the dimensions and addresses of the value, in the order of its blocks. 0: every correct
    // evaluation gives that cell. Infinity: any number is right, NaN included.
    Tensor bound;
    // False: which addresses there are depends on numbers within their bounds, and all cells have an infinite one.
    bool addresses_known = true;
};

}  // namespace tenrex
