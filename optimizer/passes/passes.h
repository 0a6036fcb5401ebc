// All passes; each file says what its pass does, and its test shows it.
#pragma once

#include <optional>
#include <vector>

#include "lib/ir/graph.h"
#include "optimizer/fuse.h"
#include "optimizer/pass.h"

namespace tenrex::optimizer {

#define TENREX_PASS(name, ops, summary) void name(ir::Graph &graph, PassRun &run);
#define TENREX_FUSION(name, ops, ends, summary) std::optional<Fused> name(const Patterns &patterns, ir::NodeId id);
#include "optimizer/passes.def"

}  // namespace tenrex::optimizer
