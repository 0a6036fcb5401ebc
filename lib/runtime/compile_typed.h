// Compiling what has been checked already, for those who check expressions themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tenrex/plan.h>

#include "lib/runtime/source_text.h"
#include "lib/sema/typed_ast.h"

namespace tenrex {

struct NamedTyped {
    std::string name;
    const sema::TypedExpression *typed;
    std::uint32_t text_begin = 0;  // where its text begins in the source
};

// Several outputs from one pass over the documents; the plan does not refer to the trees. `warnings` become the plan's.
// source: the text of all of them, for explain; null: it is not shown.
Result<Plan> compile_typed(const std::vector<NamedTyped> &outputs, std::shared_ptr<const SourceText> source,
                           std::vector<Issue> warnings, const CompileOptions &options);

}  // namespace tenrex
