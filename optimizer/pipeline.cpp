#include "optimizer/pass_manager.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

template <void (*change)(ir::Graph &)>
void run(ir::Graph &graph, PassRun &) {
    change(graph);
}

template <FindPattern find>
void run_fusion(ir::Graph &graph, PassRun &run) {
    fuse(graph, run, find);
}

}  // namespace

std::span<const Pass> pipeline() noexcept {
    using ir::Op, ir::op_set;
    static constexpr Pass passes[] = {
#define TENREX_PASS(name, ops, summary) {#name, summary, op_set ops, run<name>},
#define TENREX_FUSION(name, ops, summary) {#name, summary, op_set ops, run_fusion<name>},
#define TENREX_GROUPING(name, ops, summary) {#name, summary, op_set ops, name},
#define TENREX_CHOICE(name, ops, summary) {#name, summary, op_set ops, name},
#include "optimizer/passes.def"
    };
    return passes;
}

}  // namespace tenrex::optimizer
