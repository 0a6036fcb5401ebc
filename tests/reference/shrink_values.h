// Makes the values of a random expression smaller while it fails: fewer documents, labels, cells and odd numbers.
#pragma once

#include <functional>

#include "tests/reference/random_expression.h"

namespace tenrex::random {

using Fails = std::function<bool(const RandomExpression &)>;

void fewer_documents(RandomExpression &expression, const Fails &fails);
void shrink_values(RandomExpression &expression, const Fails &fails);

}  // namespace tenrex::random
