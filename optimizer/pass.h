// What a pass is: a function from graph to graph. It never changes what an expression means, whatever values NaN,
// infinities and empty tensors have; docs/numerics.md says by how much a result may differ in its last bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lib/ir/graph.h"
#include "optimizer/costs.h"

namespace tenrex::optimizer {

// Why a pass left something as it is that is nearly what it looks for.
struct Remark {
    ir::Op op;
    TensorType type;
    std::string_view reason;  // "the sum has other readers"

    friend bool operator==(const Remark &, const Remark &) = default;
};

// What a pass may ask, and what it tells.
struct PassRun {
    std::span<const std::uint32_t> uses;  // of each node, before the pass: Graph::use_counts()
    const Costs *costs = nullptr;         // none: choices are made without them
    std::vector<Remark> remarks = {};
};

struct Pass {
    std::string_view name;
    std::string_view summary;  // the invariant that it establishes
    ir::OpSet looks_for;       // it runs only if the outputs need one of these operations
    void (*run)(ir::Graph &graph, PassRun &run);
};

}  // namespace tenrex::optimizer
