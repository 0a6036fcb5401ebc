#include "lib/kernels/forest/forest_kernels.h"

#define TENREX_KERNEL(type, target, function, per_split, per_level) \
    namespace tenrex::kernels::target {                             \
    ForestBlockFunction function;                                   \
    ForestRankFunction rank_block;                                  \
    ForestRankFunction rank_one;                                    \
    ForestWalkFunction walk_##type;                                 \
    ForestWalkFunction walk_leaves;                                 \
    }
#include "lib/kernels/forest/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr ForestKernel kernels[] = {
#define TENREX_KERNEL(type, target, function, per_split, per_level)     \
    {{#function, Target::target, Cost{0, per_split}, target::function}, \
     CellType::type,                                                    \
     per_level,                                                         \
     target::rank_block,                                                \
     target::rank_one,                                                  \
     target::walk_##type,                                               \
     target::walk_leaves},
#include "lib/kernels/forest/kernels.def"
#undef TENREX_KERNEL
};

auto sums(CellType type) {
    return [=](const ForestKernel &kernel) { return kernel.type == type; };
}

}  // namespace

std::span<const ForestKernel> forest_kernels() noexcept {
    return kernels;
}

const ForestKernel *choose_forest(CellType type, std::size_t splits, Isa isa) noexcept {
    return cheapest(forest_kernels(), sums(type), splits, isa);
}

std::vector<Candidate<ForestKernel>> forest_candidates(CellType type, std::size_t splits, Isa isa) {
    return candidates(forest_kernels(), sums(type), splits, isa);
}

}  // namespace tenrex::kernels
