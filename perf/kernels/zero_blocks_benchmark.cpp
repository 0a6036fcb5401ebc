// Times products with matrices of which a share of the blocks is zeros, for each kernel that leaves such blocks out.
//
//   zero_blocks_benchmark avx2::matmul_f32          kernels whose names have that in them; all without an argument
//   zero_blocks_benchmark avx2::matmul_f32 16 16    blocks of 16 by 16 cells instead of 32 by 32
//
// A line has the rows, columns and depth of a product, the microseconds of the product without zeros, and for each
// share of blocks of zeros those with blocks left out, beside what the share of blocks that are left would allow. The
// least of many runs, all shares in turns; products are compared bit for bit with those of all blocks.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "lib/kernels/matmul/zero_blocks.h"

namespace tenrex::kernels {
namespace {

struct Shape {
    std::size_t m, n, k;
};
constexpr Shape shapes[] = {{128, 3072, 768}, {128, 1536, 384}, {8, 3072, 768}, {8, 1536, 384}, {1, 3072, 768}};
constexpr double shares[] = {0, 0.1, 0.25, 0.5, 0.75, 0.9};

// Cells other than zeros, of which a share of the blocks is zeros.
std::vector<char> cells_of(CellType type, std::size_t rows, std::size_t columns, double zeros, std::size_t block_rows,
                           std::size_t block_columns) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<bool> is_zero((rows / block_rows + 1) * (columns / block_columns + 1));
    std::generate(is_zero.begin(), is_zero.end(), [&] { return unit(random) < zeros; });
    std::vector<char> cells(rows * columns * byte_size(type));
    for (std::size_t i = 0; i < rows * columns; ++i) {
        const double number = 1 + 99 * unit(random);
        const std::size_t block =
            i / columns / block_rows * (columns / block_columns + 1) + i % columns / block_columns;
        visit_cell_type(type, [&]<class T>(T cell) {
            cell = to_cell<T>(is_zero[block] ? 0 : number);
            std::memcpy(cells.data() + i * sizeof(T), &cell, sizeof(T));
        });
    }
    return cells;
}

struct Weights {
    std::vector<char> packed;
    std::vector<std::uint64_t> map;
    double least = 1e9;  // microseconds
};

double microseconds(const MatmulKernel &kernel, const Matmul &call) {
    const auto start = std::chrono::steady_clock::now();
    kernel.function(call);
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

// Whether results have the same bits.
bool measure(const MatmulKernel &kernel, const Shape &shape, std::size_t block_rows, std::size_t block_columns) {
    const auto [m, n, k] = shape;
    const std::vector<char> a = cells_of(kernel.type, m, k, 0, 1, 1);
    std::vector<Weights> weights;
    for (const double share : shares) {
        const std::vector<char> b = cells_of(kernel.type, k, n, share, block_rows, block_columns);
        Weights &own = weights.emplace_back();
        own.packed.resize(packed_cells(kernel, k, n) * byte_size(kernel.type));
        kernel.pack({b.data(), static_cast<std::ptrdiff_t>(n), 1, k, n, own.packed.data()});
        own.map.resize(block_map_bytes(kernel, k, n) / sizeof(std::uint64_t));
        map_blocks(kernel, own.packed.data(), k, n, own.map.data());
    }
    std::vector<char> out(m * n * byte_size(kernel.out())), all(out.size());
    const auto runs = std::clamp<std::size_t>(4'000'000'000 / (m * n * k), 15, 300);
    for (std::size_t run = 0; run < runs; ++run) {
        for (Weights &own : weights) {
            Matmul call{a.data(),   static_cast<std::ptrdiff_t>(k), 1, own.packed.data(), m, n, k, nullptr,
                        out.data(), static_cast<std::ptrdiff_t>(n)};
            const MatmulBlocks blocks = blocks_of(kernel, own.map.data(), k, n);
            call.blocks = &blocks;
            own.least = std::min(own.least, microseconds(kernel, call));
            if (run == 0) {
                call.blocks = nullptr;
                call.out = all.data();
                kernel.function(call);
                if (out != all) {
                    return false;
                }
            }
        }
    }
    const double dense = weights[0].least;
    std::string line = fmt::format("{:<24} {:>4} x {:>4} x {:>4} {:>9.0f}", full_name(kernel), m, n, k, dense);
    for (std::size_t i = 1; i < weights.size(); ++i) {
        const double zeros = share_of_zeros(weights[i].map.data());
        line += fmt::format(" {:>8.0f} ({:.0f})", weights[i].least, (1 - zeros) * dense);
    }
    std::puts(line.c_str());
    return true;
}

}  // namespace
}  // namespace tenrex::kernels

int main(int argc, char **argv) {
    using namespace tenrex::kernels;
    const std::string_view wanted = argc > 1 ? argv[1] : "";
    const auto number = [&](int place) { return argc > place ? std::strtoul(argv[place], nullptr, 10) : 32UL; };
    if (number(2) == 0 || number(3) == 0) {
        std::fputs("usage: zero_blocks_benchmark [KERNEL [ROWS COLUMNS]]\n", stderr);
        return 2;
    }
    for (const MatmulKernel &kernel : matmul_kernels()) {
        if (kernel.panel == 0 || !detected_isa().contains(target_isa(kernel.target)) ||
            full_name(kernel).find(wanted) == std::string::npos) {
            continue;
        }
        for (const Shape &shape : shapes) {
            if (!measure(kernel, shape, number(2), number(3))) {
                std::fputs("products differ\n", stderr);
                return 1;
            }
        }
    }
    return 0;
}
