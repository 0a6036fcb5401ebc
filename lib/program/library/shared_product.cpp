#include "lib/program/library/shared_product.h"

#include <algorithm>

#include "lib/kernels/matmul/zero_blocks.h"
#include "lib/program/parts.h"

namespace tenrex::program {

namespace {

// So many rows keep a kernel as busy as more of them would.
constexpr std::size_t enough_rows = 32;

// Rows that are rewritten pass by b some at a time: with pieces of as many, b is read no more often than without
// threads. All threads have the same number of pieces.
std::size_t rows_of_piece(const kernels::MatmulKernel &kernel, std::size_t m, std::size_t threads) {
    const std::size_t rows = kernels::rows_rewritten_by(kernel);
    if (rows == 0) {
        return enough_rows;
    }
    const std::size_t pieces = threads * ((m + threads * rows - 1) / (threads * rows));
    return (m + pieces - 1) / pieces;
}

const std::byte *after(const void *first, std::ptrdiff_t cells, std::size_t width) {
    return static_cast<const std::byte *>(first) + cells * static_cast<std::ptrdiff_t>(width);
}

// The rows from one on.
kernels::Matmul rows_of(const kernels::MatmulKernel &kernel, kernels::Matmul call, kernels::MatmulScaling &scaling,
                        std::size_t first, std::size_t count) {
    const auto rows = static_cast<std::ptrdiff_t>(first);
    call.a = after(call.a, rows * call.a_row, byte_size(kernel.type));
    call.out = const_cast<std::byte *>(after(call.out, rows * call.out_row, byte_size(kernel.out())));
    call.m = count;
    if (call.scaling != nullptr) {
        scaling = *call.scaling;
        scaling.row_scale += rows;
        scaling.row_offset += rows;
        call.scaling = &scaling;
    }
    return call;
}

// The columns from one on, with which a panel begins.
kernels::Matmul columns_of(const kernels::MatmulKernel &kernel, kernels::Matmul call, kernels::MatmulScaling &scaling,
                           kernels::MatmulBlocks &blocks, std::size_t first, std::size_t count) {
    const auto columns = static_cast<std::ptrdiff_t>(first);
    const std::size_t before = call.b_row != 0 ? first : packed_cells(kernel, call.k, first);
    call.packed = after(call.packed, static_cast<std::ptrdiff_t>(before), byte_size(kernel.type));
    if (call.blocks != nullptr) {
        blocks = after_columns(kernel, *call.blocks, call.k, first);
        call.blocks = &blocks;
    }
    call.out = const_cast<std::byte *>(after(call.out, columns, byte_size(kernel.out())));
    call.bias = call.bias == nullptr ? nullptr : after(call.bias, columns, byte_size(kernel.out()));
    call.n = count;
    if (call.scaling != nullptr) {
        scaling = *call.scaling;
        scaling.column_scale += columns;
        scaling.column_offset += columns;
        call.scaling = &scaling;
    }
    return call;
}

}  // namespace

void share_product(const Frame &frame, const kernels::MatmulKernel &kernel, const kernels::Matmul &call) {
    const std::size_t threads = frame.executor->concurrency();
    const bool by_rows = call.m / enough_rows >= threads;
    const std::size_t columns = kernels::columns_apart(kernel);
    const double of_row = kernel.cost.of(call.k * call.n);
    const double of_column =
        static_cast<double>(call.m) * kernel.cost.of(call.k * columns) / static_cast<double>(columns);
    const Parts parts = by_rows ? Parts(frame, call.m, of_row, rows_of_piece(kernel, call.m, threads))
                                : Parts(frame, call.n, of_column, columns);
    parts.run([&](std::size_t, std::size_t first, std::size_t count) {
        kernels::MatmulScaling scaling;
        kernels::MatmulBlocks blocks;
        kernel.function(by_rows ? rows_of(kernel, call, scaling, first, count)
                                : columns_of(kernel, call, scaling, blocks, first, count));
    });
}

}  // namespace tenrex::program
