// Graph to plan: kernels are chosen, memory is laid out, and the constant program is run.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <tenrex/issue.h>
#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/weight_store.h>

#include "lib/ir/graph.h"
#include "lib/kernels/isa.h"
#include "lib/program/plan.h"

namespace tenrex::lower {

struct LowerOptions {
    kernels::Isa isa;
    std::shared_ptr<LabelTable> labels;  // of constants, queries and documents
    Limits limits;
    std::shared_ptr<WeightStore> weights = nullptr;  // null: the plan shares none
};

// By stage and step, the text that the step comes from.
using StepSpans = std::array<std::vector<Span>, 3>;

// spans, if it is given, gets those of the plan's steps. Errors: a constant part of the expression has a value beyond
// the limits. Throws only std::bad_alloc.
Result<std::shared_ptr<const program::Plan>> lower(const ir::Graph &graph, const LowerOptions &options,
                                                   StepSpans *spans = nullptr);

}  // namespace tenrex::lower
