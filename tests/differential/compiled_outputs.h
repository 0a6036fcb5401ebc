// Compiled outputs of a random expression, with the values of its documents.
#pragma once

#include <cstdint>
#include <vector>

#include <tenrex/plan.h>

#include "tests/differential/columns.h"
#include "tests/reference/random_expression.h"

namespace tenrex::differential {

struct CompiledOutputs {
    Plan plan;
    Query query;
    std::vector<InputValues> inputs;

    // The seed is that of the orders in which documents have their blocks.
    static Result<CompiledOutputs> make(const random::RandomExpression &expression,
                                        const std::vector<NamedExpression> &outputs, const CompileOptions &options,
                                        std::uint64_t seed);
    // Output by output, document by document: as tensors and, if all are numbers, as scores.
    Result<std::vector<Tensor>> evaluate(const Block &block, Context &context) const;
    // All outputs of each document, evaluated by itself.
    Result<std::vector<std::vector<Tensor>>> alone(std::size_t documents) const;
};

}  // namespace tenrex::differential
