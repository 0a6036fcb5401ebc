// Runs the passes of pipeline.cpp over a graph.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "lib/ir/graph.h"
#include "optimizer/pass.h"

namespace tenrex::optimizer {

struct PassManagerOptions {
    std::vector<std::string> disabled;  // names of passes
    const Costs *costs = nullptr;
};

// What a pass did.
struct PassReport {
    std::string_view name;
    bool disabled = false;
    bool changed = false;
    std::vector<Remark> remarks = {};

    // Most passes find nothing.
    bool tells() const noexcept { return disabled || changed || !remarks.empty(); }
};

// All passes, in order.
std::span<const Pass> pipeline() noexcept;

// The optimized graph. `reports`, if it is given, gets an entry for each pass that has something to tell, in their
// order. What is added to the graph is verified, by whoever built it and by each pass, in every build. An error is a
// mistake in Tenrex: it says whose.
Result<ir::Graph> optimize(ir::Graph graph, const PassManagerOptions &options = {},
                           std::vector<PassReport> *reports = nullptr);
// The same with other passes.
Result<ir::Graph> optimize(ir::Graph graph, std::span<const Pass> passes, const PassManagerOptions &options = {},
                           std::vector<PassReport> *reports = nullptr);

}  // namespace tenrex::optimizer
