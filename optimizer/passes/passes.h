// All passes; each file says what its pass does, and its test shows it.
#pragma once

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

#define TENREX_PASS(name, ops, summary) void name(ir::Graph &graph);
#include "optimizer/passes.def"
#undef TENREX_PASS

}  // namespace tenrex::optimizer
