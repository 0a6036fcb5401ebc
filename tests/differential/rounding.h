// Whether rounding explains a difference: what an expression gives when its numbers are off by their last bit.
#pragma once

#include <string>

#include <tenrex/tensor.h>

#include "tests/reference/random_expression.h"

namespace tenrex::differential {

// An operation whose result depends on the last bits of the numbers in it: a sum of large terms that cancel, or the
// remainder of a power within a lambda. Numbers without a fraction below a million are not changed, as they count as
// exact: neither comparisons nor indexes depend on rounding for them.
class Rounding {
public:
    // `operation` is one of random::operations().
    explicit Rounding(const random::RandomExpression &operation);

    // What `actual` differs in from `expected`, the value of the reference evaluator, by more than that value changes
    // with those last bits; empty if in nothing.
    std::string difference(const Tensor &actual, const Tensor &expected) const;

private:
    std::vector<Tensor> values_;  // with last bits changed at random
};

}  // namespace tenrex::differential
