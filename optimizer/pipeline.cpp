#include "optimizer/pass_manager.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

std::span<const Pass> pipeline() noexcept {
    static constexpr Pass passes[] = {
#define TENREX_PASS(name, summary) {#name, summary, name},
#include "optimizer/passes.def"
#undef TENREX_PASS
    };
    return passes;
}

}  // namespace tenrex::optimizer
