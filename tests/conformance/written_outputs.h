// Values that are written into memory of the caller, against those that are returned.
#pragma once

#include <span>
#include <string>

#include <tenrex/plan.h>

namespace tenrex::conformance {

// Evaluates the block into memory of its own, without gaps and with them, aligned and not, as large as the values need.
// What differs from `tensors`, which are output by output and document by document; or what was written beside the
// values.
std::string difference_as_written(const Plan &plan, const Query &query, const Block &block, Context &context,
                                  std::span<const Tensor> tensors);

}  // namespace tenrex::conformance
