// The oracle: a plain evaluator of typed trees in double precision. It shares no code with graph, optimizer, plan or
// kernels; everything else is tested against it. Each operation computes in double and then rounds to the cell type of
// its result. Correct and simple comes before fast.
#pragma once

#include <span>

#include <tenrex/bounded_tensor.h>
#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>

#include "lib/sema/typed_ast.h"

namespace tenrex::reference {

// inputs: one per entry of expression.inputs(), in that order, each of the declared type; entries of constants are not
// read. Errors: a wrong number or type of inputs; more cells or steps than the limits allow.
Result<Tensor> evaluate(const sema::TypedExpression &expression, std::span<const Tensor> inputs,
                        const Limits &limits = {});

// The same with the bounds of the result.
Result<BoundedTensor> evaluate_bounded(const sema::TypedExpression &expression, std::span<const Tensor> inputs,
                                       const Limits &limits = {});

}  // namespace tenrex::reference
