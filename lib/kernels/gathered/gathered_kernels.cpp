#include "lib/kernels/gathered/gathered_kernels.h"

#define TENREX_KERNEL(operation, a, b, planes, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                             \
    GatheredFunction function;                                                      \
    }
#include "lib/kernels/gathered/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr GatheredKernel kernels[] = {
#define TENREX_KERNEL(operation, a, b, planes, target, function, per_row, per_cell) \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function},        \
     RowPairOperation::operation,                                                   \
     CellType::a,                                                                   \
     CellType::b,                                                                   \
     planes},
#include "lib/kernels/gathered/kernels.def"
#undef TENREX_KERNEL
};

}  // namespace

std::span<const GatheredKernel> gathered_kernels() noexcept {
    return kernels;
}

const GatheredKernel *choose_gathered(RowPairOperation operation, CellType a, CellType b, std::size_t planes,
                                      std::size_t length, Isa isa) noexcept {
    const auto matches = [&](const GatheredKernel &kernel) {
        return kernel.operation == operation && kernel.a == a && kernel.b == b && kernel.planes == planes;
    };
    return cheapest(gathered_kernels(), matches, length, isa);
}

const GatheredKernel *choose_gathered(RowPairOperation operation, CellType a, CellType b, std::size_t planes,
                                      std::size_t length) noexcept {
    return choose_gathered(operation, a, b, planes, length, allowed_isa());
}

}  // namespace tenrex::kernels
