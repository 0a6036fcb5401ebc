#include "lib/kernels/reduce/reduce_kernels.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowsFunction function;                                                  \
    ColumnsFunction columns_##operation##_##type;                           \
    }
#include "lib/kernels/reduce/kernels.def"
#undef TENREX_KERNEL

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    RowsFunction function;                                                  \
    }
#include "lib/kernels/reduce/medians.def"
#undef TENREX_KERNEL

#define TENREX_KERNEL(type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                          \
    WeightedRowsFunction function;                               \
    }
#include "lib/kernels/reduce/weighted.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr ReduceKernel kernels[] = {
#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell)  \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function}, \
     ReduceOperation::operation,                                             \
     CellType::type,                                                         \
     target::columns_##operation##_##type},
#include "lib/kernels/reduce/kernels.def"
#undef TENREX_KERNEL
#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell)  \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function}, \
     ReduceOperation::operation,                                             \
     CellType::type,                                                         \
     nullptr},
#include "lib/kernels/reduce/medians.def"
#undef TENREX_KERNEL
};

constexpr WeightedRowsKernel weighted[] = {
#define TENREX_KERNEL(type, target, function, per_row, per_cell) \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function}, CellType::type},
#include "lib/kernels/reduce/weighted.def"
#undef TENREX_KERNEL
};

struct Matches {
    ReduceOperation operation;
    CellType type;

    bool operator()(const ReduceKernel &kernel) const noexcept {
        return kernel.operation == operation && kernel.type == type;
    }
};

}  // namespace

std::string_view name(ReduceOperation operation) noexcept {
    switch (operation) {
        case ReduceOperation::sum:
            return "sum";
        case ReduceOperation::float_sum:
            return "float_sum";
        case ReduceOperation::prod:
            return "prod";
        case ReduceOperation::max:
            return "max";
        case ReduceOperation::min:
            return "min";
        case ReduceOperation::median:
            return "median";
    }
    return {};
}

std::span<const ReduceKernel> reduce_kernels() noexcept {
    return kernels;
}

const ReduceKernel *choose_reduce(ReduceOperation operation, CellType type, std::size_t length, Isa isa) noexcept {
    const ReduceKernel *const kernel = cheapest(reduce_kernels(), Matches{operation, type}, length, isa);
    return kernel != nullptr ? kernel : cheapest(reduce_kernels(), Matches{operation, CellType::f32}, length, isa);
}

std::vector<Candidate<ReduceKernel>> reduce_candidates(ReduceOperation operation, CellType type, std::size_t length,
                                                       Isa isa) {
    return candidates(reduce_kernels(), Matches{operation, type}, length, isa);
}

std::span<const WeightedRowsKernel> weighted_rows_kernels() noexcept {
    return weighted;
}

const WeightedRowsKernel *choose_weighted_rows(CellType type, std::size_t length, Isa isa) noexcept {
    const auto matches = [type](const WeightedRowsKernel &kernel) { return kernel.type == type; };
    return cheapest(weighted_rows_kernels(), matches, length, isa);
}

std::vector<Candidate<WeightedRowsKernel>> weighted_rows_candidates(CellType type, std::size_t length, Isa isa) {
    const auto matches = [type](const WeightedRowsKernel &kernel) { return kernel.type == type; };
    return candidates(weighted_rows_kernels(), matches, length, isa);
}

}  // namespace tenrex::kernels
