#include "lib/program/library/matrix_blocks.h"

#include "lib/program/cache_line.h"

namespace tenrex::program {

namespace {

std::size_t place_of_maps(const kernels::MatmulKernel &kernel, const MatrixShape &shape) {
    constexpr std::size_t line = sizeof(CacheLine);
    return (bytes_of_packed(kernel, shape, shape.n) + line - 1) / line * line;
}

std::size_t place_of_map(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::size_t matrix) {
    return place_of_maps(kernel, shape) + matrix * kernels::block_map_bytes(kernel, shape.k, shape.n);
}

bool has_maps(const kernels::MatmulKernel &kernel, const MatrixShape &shape) {
    return kernels::block_map_bytes(kernel, shape.k, shape.n) != 0;
}

}  // namespace

std::size_t bytes_of_packed(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::size_t n) {
    return shape.batch * packed_cells(kernel, shape.k, n) * byte_size(kernel.type);
}

std::size_t bytes_with_maps(const kernels::MatmulKernel &kernel, const MatrixShape &shape) {
    return has_maps(kernel, shape) ? place_of_map(kernel, shape, shape.batch) : bytes_of_packed(kernel, shape, shape.n);
}

void map_matrices(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::byte *packed) {
    const std::size_t bytes = packed_cells(kernel, shape.k, shape.n) * byte_size(kernel.type);
    for (std::size_t i = 0; has_maps(kernel, shape) && i < shape.batch; ++i) {
        kernels::map_blocks(kernel, packed + i * bytes, shape.k, shape.n, packed + place_of_map(kernel, shape, i));
    }
}

kernels::MatmulBlocks blocks_of_matrix(const kernels::MatmulKernel &kernel, const MatrixShape &shape,
                                       const std::byte *packed, std::size_t matrix) {
    return has_maps(kernel, shape)
               ? kernels::blocks_of(kernel, packed + place_of_map(kernel, shape, matrix), shape.k, shape.n)
               : kernels::MatmulBlocks{};
}

double share_of_zeros(const kernels::MatmulKernel &kernel, const MatrixShape &shape, const std::byte *packed) {
    double total = 0;
    for (std::size_t i = 0; has_maps(kernel, shape) && i < shape.batch; ++i) {
        total += kernels::share_of_zeros(packed + place_of_map(kernel, shape, i)) / static_cast<double>(shape.batch);
    }
    return total;
}

}  // namespace tenrex::program
