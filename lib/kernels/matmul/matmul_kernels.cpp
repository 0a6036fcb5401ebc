#include "lib/kernels/matmul/matmul_kernels.h"

#include "lib/kernels/convert/convert_kernels.h"

#define TENREX_KERNEL(operation, type, lanes, vectors, depth, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                                            \
    MatmulFunction function;                                                                       \
    MatmulReduceFunction operation##_reduce_##type;                                                \
    PackFunction pack_##type;                                                                      \
    }
#include "lib/kernels/matmul/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr MatmulKernel kernels[] = {
#define TENREX_KERNEL(operation, type, lanes, vectors, depth, target, function, per_row, per_cell) \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function},                       \
     CellType::type,                                                                               \
     lanes,                                                                                        \
     depth,                                                                                        \
     lanes * vectors,                                                                              \
     target::pack_##type,                                                                          \
     target::operation##_reduce_##type},
#include "lib/kernels/matmul/kernels.def"
#undef TENREX_KERNEL
};

auto multiplies(MatmulCells cells) {
    return [=](const MatmulKernel &kernel) { return kernel.type == cells.widened || kernel.type == cells.stored; };
}

}  // namespace

std::span<const MatmulKernel> matmul_kernels() noexcept {
    return kernels;
}

double matmul_cost(const MatmulKernel &kernel, MatmulCells cells, std::size_t k, std::size_t n, Isa isa) noexcept {
    const auto filled = [](std::size_t size, std::size_t tile) { return (size + tile - 1) / tile * tile; };
    double cost = kernel.cost.of(filled(k, kernel.k_tile) * filled(n, kernel.column_tile));
    if (kernel.type != cells.stored) {
        // Many rows are converted at a time.
        cost += choose_conversion(ConversionOperation::convert, cells.stored, kernel.type, k, isa)->cost.per_cell *
                static_cast<double>(k);
    }
    return cost;
}

const MatmulKernel *choose_matmul(MatmulCells cells, std::size_t k, std::size_t n, Isa isa) noexcept {
    return cheapest_by(
        matmul_kernels(), multiplies(cells),
        [=](const MatmulKernel &kernel) { return matmul_cost(kernel, cells, k, n, isa); }, isa);
}

std::vector<Candidate<MatmulKernel>> matmul_candidates(MatmulCells cells, std::size_t k, std::size_t n, Isa isa) {
    return candidates_by(
        matmul_kernels(), multiplies(cells),
        [=](const MatmulKernel &kernel) { return matmul_cost(kernel, cells, k, n, isa); }, isa);
}

}  // namespace tenrex::kernels
