#include "lib/program/library/matrix_blocks.h"

#include "lib/program/cache_line.h"

namespace tenrex::program {

namespace {

std::size_t place_of_maps(const kernels::MatmulKernel &kernel, const MatrixShape &shape) {
    constexpr std::size_t line = sizeof(CacheLine);
    return (bytes_of_packed(kernel, shape, shape.n) + line - 1) / line * line;
}

// Of one of them among all.
std::size_t place_of_map(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::size_t matrix) {
    return matrix * kernels::block_map_bytes(kernel, shape.k, shape.n);
}

bool has_maps(const kernels::MatmulKernel &kernel) {
    return kernel.panel != 0;
}

}  // namespace

std::size_t bytes_of_packed(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::size_t n) {
    return shape.batch * packed_cells(kernel, shape.k, n) * byte_size(kernel.type);
}

std::size_t bytes_with_maps(const kernels::MatmulKernel &kernel, const MatrixShape &shape) {
    return has_maps(kernel) ? place_of_maps(kernel, shape) + place_of_map(kernel, shape, shape.batch)
                            : bytes_of_packed(kernel, shape, shape.n);
}

void map_matrices(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::byte *packed) {
    const std::size_t bytes = packed_cells(kernel, shape.k, shape.n) * byte_size(kernel.type);
    std::byte *const maps = packed + place_of_maps(kernel, shape);
    for (std::size_t i = 0; has_maps(kernel) && i < shape.batch; ++i) {
        kernels::map_blocks(kernel, packed + i * bytes, shape.k, shape.n, maps + place_of_map(kernel, shape, i));
    }
}

const std::byte *maps_of(const kernels::MatmulKernel &kernel, const MatrixShape &shape, const std::byte *packed) {
    if (!has_maps(kernel)) {
        return nullptr;
    }
    const std::byte *const maps = packed + place_of_maps(kernel, shape);
    return share_of_zeros(kernel, shape, maps) > 0 ? maps : nullptr;
}

kernels::MatmulBlocks blocks_of_matrix(const kernels::MatmulKernel &kernel, const MatrixShape &shape,
                                       const std::byte *maps, std::size_t matrix) {
    return kernels::blocks_of(kernel, maps + place_of_map(kernel, shape, matrix), shape.k, shape.n);
}

double share_of_zeros(const kernels::MatmulKernel &kernel, const MatrixShape &shape, const std::byte *maps) {
    double total = 0;
    for (std::size_t i = 0; i < shape.batch; ++i) {
        total += kernels::share_of_zeros(maps + place_of_map(kernel, shape, i));
    }
    return shape.batch == 0 ? 0 : total / static_cast<double>(shape.batch);
}

}  // namespace tenrex::program
