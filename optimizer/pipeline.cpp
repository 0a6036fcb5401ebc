#include "optimizer/pass_manager.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

template <ir::OpSet ends, FindPattern find>
void run_fusion(ir::Graph &graph, PassRun &run) {
    fuse(graph, run, ends, find);
}

}  // namespace

std::span<const Pass> pipeline() noexcept {
    using ir::Op, ir::op_set;
    static constexpr Pass passes[] = {
#define TENREX_PASS(name, ops, summary) {#name, summary, op_set ops, name},
#define TENREX_FUSION(name, ops, ends, summary) {#name, summary, op_set ops, run_fusion<op_set ends, name>},
#include "optimizer/passes.def"
    };
    return passes;
}

}  // namespace tenrex::optimizer
