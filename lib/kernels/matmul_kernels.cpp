#include "lib/kernels/matmul_kernels.h"

#define TENREX_KERNEL(operation, type, lanes, depth, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                                   \
    MatmulFunction function;                                                              \
    MatmulReduceFunction operation##_reduce_##type;                                       \
    PackFunction pack_##type;                                                             \
    }
#include "lib/kernels/matmul/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr MatmulKernel kernels[] = {
#define TENREX_KERNEL(operation, type, lanes, depth, target, function, per_row, per_cell) \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function},              \
     CellType::type,                                                                      \
     lanes,                                                                               \
     depth,                                                                               \
     target::pack_##type,                                                                 \
     target::operation##_reduce_##type},
#include "lib/kernels/matmul/kernels.def"
#undef TENREX_KERNEL
};

}  // namespace

std::span<const MatmulKernel> matmul_kernels() noexcept {
    return kernels;
}

const MatmulKernel *choose_matmul(CellType type, std::size_t k, std::size_t n, Isa isa) noexcept {
    return cheapest(
        matmul_kernels(), [=](const MatmulKernel &kernel) { return kernel.type == type; }, k * n, isa);
}

std::vector<Candidate<MatmulKernel>> matmul_candidates(CellType type, std::size_t k, std::size_t n, Isa isa) {
    return candidates(
        matmul_kernels(), [=](const MatmulKernel &kernel) { return kernel.type == type; }, k * n, isa);
}

}  // namespace tenrex::kernels
