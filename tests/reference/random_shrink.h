// Makes random expressions smaller, and takes them apart.
#pragma once

#include <functional>
#include <vector>

#include "tests/reference/random_expression.h"

namespace tenrex::random {

// A smaller expression for which fails() holds as it does for the given one: parts become the whole expression, or
// inputs that have the values which the oracle gives them; there are fewer documents, labels, cells and odd numbers.
RandomExpression shrink(RandomExpression expression, const std::function<bool(const RandomExpression &)> &fails);

// Each operation of the expression by itself: its operands are inputs that have the values which the oracle gives them.
std::vector<RandomExpression> operations(const RandomExpression &expression);

}  // namespace tenrex::random
