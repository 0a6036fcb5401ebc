// Runs the passes of pipeline.cpp over a graph.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/ir/graph.h"
#include "optimizer/pass.h"

namespace tenrex::optimizer {

struct PassManagerOptions {
    std::vector<std::string> disabled;  // names of passes
    bool verify = false;                // the graph after each pass, as the tests do; a violation is an assertion
};

// What a pass did.
struct PassReport {
    std::string_view name;
    bool disabled = false;
    bool changed = false;
};

// All passes, in order.
std::span<const Pass> pipeline() noexcept;

// The optimized graph. `reports`, if it is given, gets one entry for each pass.
ir::Graph optimize(ir::Graph graph, const PassManagerOptions &options = {}, std::vector<PassReport> *reports = nullptr);

}  // namespace tenrex::optimizer
