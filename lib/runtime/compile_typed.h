// Compiling what has been checked already, for those who check expressions themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenrex/plan.h>

#include "lib/sema/typed_ast.h"

namespace tenrex {

struct NamedTyped {
    std::string name;
    const sema::TypedExpression *typed;
    std::string_view source = {};  // its text, for explain; empty: parts of it are not shown
};

// Several outputs from one pass over the documents; the plan does not refer to the trees. `warnings` become the plan's.
Result<Plan> compile_typed(const std::vector<NamedTyped> &outputs, std::vector<Issue> warnings,
                           const CompileOptions &options);

}  // namespace tenrex
