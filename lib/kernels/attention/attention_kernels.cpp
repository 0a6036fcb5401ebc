#include "lib/kernels/attention/attention_kernels.h"

#define TENREX_KERNEL(operation, type, lanes, rows, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                                  \
    AttentionFunction function;                                                          \
    }
#include "lib/kernels/attention/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr AttentionKernel kernels[] = {
#define TENREX_KERNEL(operation, type, lanes, rows, target, function, per_row, per_cell) \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function}, CellType::type, lanes, rows},
#include "lib/kernels/attention/kernels.def"
#undef TENREX_KERNEL
};

auto is_of(CellType type) {
    return [type](const AttentionKernel &kernel) { return kernel.type == type; };
}

}  // namespace

std::span<const AttentionKernel> attention_kernels() noexcept {
    return kernels;
}

const AttentionKernel *choose_attention(CellType type, std::size_t width, Isa isa) noexcept {
    return cheapest(attention_kernels(), is_of(type), width, isa);
}

std::vector<Candidate<AttentionKernel>> attention_candidates(CellType type, std::size_t width, Isa isa) {
    return candidates(attention_kernels(), is_of(type), width, isa);
}

}  // namespace tenrex::kernels
