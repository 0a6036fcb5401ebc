// Evaluating a block in every way that there is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tenrex/plan.h>

namespace tenrex::conformance {

// What evaluate_tensors() gives. The same documents are evaluated into memory of the caller, too, and if the first
// output is a scalar, as scores, together and each alone. Errors: those of evaluating, another value.
Result<std::vector<Tensor>> evaluate_every_way(const Plan &plan, const Query &query, const Block &block,
                                               Context &context);

}  // namespace tenrex::conformance
