#include "optimizer/pass_manager.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

std::span<const Pass> pipeline() noexcept {
    using ir::Op, ir::op_set;
    static constexpr Pass passes[] = {
#define TENREX_PASS(name, ops, summary) {#name, summary, op_set ops, name},
#include "optimizer/passes.def"
#undef TENREX_PASS
    };
    return passes;
}

}  // namespace tenrex::optimizer
