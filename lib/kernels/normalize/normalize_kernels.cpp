#include "lib/kernels/normalize/normalize_kernels.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowNormalizationFunction function;                                      \
    }
#include "lib/kernels/normalize/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr NormalizeKernel kernels[] = {
#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell)  \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function}, \
     NormalizeOperation::operation,                                          \
     CellType::type},
#include "lib/kernels/normalize/kernels.def"
#undef TENREX_KERNEL
};

struct Matches {
    NormalizeOperation operation;
    CellType type;

    bool operator()(const NormalizeKernel &kernel) const noexcept {
        return kernel.operation == operation && kernel.type == type;
    }
};

}  // namespace

std::string_view name(NormalizeOperation operation) noexcept {
    switch (operation) {
        case NormalizeOperation::softmax:
            return "softmax";
        case NormalizeOperation::stable_softmax:
            return "stable softmax";
        case NormalizeOperation::by_length:
            return "division by the length";
        case NormalizeOperation::standardize:
            return "standardization";
    }
    return {};
}

std::span<const NormalizeKernel> normalize_kernels() noexcept {
    return kernels;
}

const NormalizeKernel *choose_normalize(NormalizeOperation operation, CellType type, std::size_t length,
                                        Isa isa) noexcept {
    return cheapest(normalize_kernels(), Matches{operation, type}, length, isa);
}

std::vector<Candidate<NormalizeKernel>> normalize_candidates(NormalizeOperation operation, CellType type,
                                                             std::size_t length, Isa isa) {
    return candidates(normalize_kernels(), Matches{operation, type}, length, isa);
}

}  // namespace tenrex::kernels
