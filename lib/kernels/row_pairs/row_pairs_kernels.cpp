#include "lib/kernels/row_pairs/row_pairs_kernels.h"

// The prototypes, then the table; a line of these lists is all that a kernel needs beside its source.
#define TENREX_KERNEL(operation, a, b, out, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                          \
    RowPairFunction function;                                                    \
    }
#include "lib/kernels/distance/kernels.def"
#include "lib/kernels/dot/kernels.def"
#include "lib/kernels/pairwise/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr RowPairKernel kernels[] = {
#define TENREX_KERNEL(operation, a, b, out, target, function, per_row, per_cell) \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function},     \
     RowPairOperation::operation,                                                \
     CellType::a,                                                                \
     CellType::b,                                                                \
     CellType::out},
#include "lib/kernels/distance/kernels.def"
#include "lib/kernels/dot/kernels.def"
#include "lib/kernels/pairwise/kernels.def"
#undef TENREX_KERNEL
};

// Whether the operands may change places.
bool is_symmetric(RowPairOperation operation) noexcept {
    switch (operation) {
        case RowPairOperation::dot_bits_big:
        case RowPairOperation::dot_bits_little:
        case RowPairOperation::largest_difference:
        case RowPairOperation::smallest_difference:
        case RowPairOperation::count_less:
        case RowPairOperation::count_less_equal:
            return false;
        default:
            return true;
    }
}

struct Matches {
    RowPairOperation operation;
    CellType a;
    CellType b;

    bool operator()(const RowPairKernel &kernel) const noexcept {
        return kernel.operation == operation && ((kernel.a == a && kernel.b == b) || swapped(kernel));
    }
    bool swapped(const RowPairKernel &kernel) const noexcept {
        return a != b && kernel.a == b && kernel.b == a && is_symmetric(operation);
    }
};

}  // namespace

std::string_view name(RowPairOperation operation) noexcept {
    switch (operation) {
        case RowPairOperation::dot:
            return "dot";
        case RowPairOperation::squared_distance:
            return "squared_distance";
        case RowPairOperation::absolute_distance:
            return "absolute_distance";
        case RowPairOperation::hamming:
            return "hamming";
        case RowPairOperation::dot_bits_big:
            return "dot_bits_big";
        case RowPairOperation::dot_bits_little:
            return "dot_bits_little";
        case RowPairOperation::largest_product:
            return "largest_product";
        case RowPairOperation::smallest_product:
            return "smallest_product";
        case RowPairOperation::largest_difference:
            return "largest_difference";
        case RowPairOperation::smallest_difference:
            return "smallest_difference";
        case RowPairOperation::largest_distance:
            return "largest_distance";
        case RowPairOperation::smallest_distance:
            return "smallest_distance";
        case RowPairOperation::count_less:
            return "count_less";
        case RowPairOperation::count_less_equal:
            return "count_less_equal";
        case RowPairOperation::count_equal:
            return "count_equal";
    }
    return {};
}

std::span<const RowPairKernel> row_pair_kernels() noexcept {
    return kernels;
}

RowPairChoice choose_row_pairs(RowPairOperation operation, CellType a, CellType b, std::size_t length,
                               Isa isa) noexcept {
    const Matches matches{operation, a, b};
    const RowPairKernel *kernel = cheapest(row_pair_kernels(), matches, length, isa);
    return {kernel, kernel != nullptr && matches.swapped(*kernel)};
}

ConvertedRowPairs choose_converted_row_pairs(RowPairOperation operation, CellType a, CellType b, std::size_t length,
                                             Isa isa) noexcept {
    const RowPairChoice as_they_are = choose_row_pairs(operation, a, b, length, isa);
    if (as_they_are.kernel != nullptr) {
        return {a, b, as_they_are};
    }
    const CellType both = a == CellType::f64 || b == CellType::f64 ? CellType::f64 : CellType::f32;
    return {both, both, choose_row_pairs(operation, both, both, length, isa)};
}

std::vector<Candidate<RowPairKernel>> row_pair_candidates(RowPairOperation operation, CellType a, CellType b,
                                                          std::size_t length, Isa isa) {
    return candidates(row_pair_kernels(), Matches{operation, a, b}, length, isa);
}

}  // namespace tenrex::kernels
