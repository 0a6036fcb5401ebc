// Typed tree to graph. Lambdas and generators disappear: their bodies become operations on whole tensors.
//
// A lambda or generator is built in a scope. What happens once per block of map_subspaces, or once per cell of a
// generator, happens in the graph once for all: the values of a scope carry additional dimensions, the scope
// dimensions, under names of their own, and natural join keeps what belongs together apart from the rest.
#pragma once

#include <cstdint>
#include <string>

#include <tenrex/limits.h>
#include <tenrex/result.h>

#include "lib/ir/graph.h"
#include "lib/sema/typed_ast.h"

namespace tenrex::ir {

// Adds the expression as one more output of a graph; inputs of the same name are the same. text_begin is added to
// spans: several expressions may have their texts end to end. Errors: a scope makes a value larger than the limits
// allow.
Result<Graph> build(const sema::TypedExpression &expression, const Limits &limits = {}, Graph graph = {},
                    std::string output_name = {}, std::uint32_t text_begin = 0);

}  // namespace tenrex::ir
