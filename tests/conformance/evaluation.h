// Evaluating a block in every way that there is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tenrex/plan.h>

namespace tenrex::conformance {

// What evaluate_tensors() gives. If the first output is a scalar, the documents are evaluated as scores, too, together
// and each alone, from the same columns. Errors: those of evaluating, another score.
Result<std::vector<Tensor>> evaluate_every_way(const Plan &plan, const Query &query, const Block &block,
                                               Context &context);

}  // namespace tenrex::conformance
