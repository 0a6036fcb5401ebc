#include "lib/program/library/shared_product.h"

#include <algorithm>

#include "lib/kernels/matmul/zero_blocks.h"
#include "lib/program/parts.h"

namespace tenrex::program {

namespace {

// So many rows keep a kernel as busy as more of them would.
constexpr std::size_t enough_rows = 32;

// Rows that pass by b together: not few, since each block reads b. All threads have the same number of blocks.
std::size_t height_of_blocks(const kernels::MatmulKernel &kernel, std::size_t m, std::size_t threads) {
    if (m / enough_rows < threads) {
        return m;  // by columns
    }
    constexpr std::size_t most_rows = 2 * enough_rows;
    const std::size_t rewritten = kernels::rows_rewritten_by(kernel);
    const std::size_t most = rewritten == 0 ? most_rows : rewritten;
    const std::size_t blocks = threads * ((m + threads * most - 1) / (threads * most));
    return (m + blocks - 1) / blocks;
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

// A product in blocks of rows, those in strips of columns as narrow as can be, and those in pieces of some rows unless
// rows are rewritten: at the end of a product a thread does not wait long for another one. Pieces are counted strip by
// strip.
struct Cut {
    std::size_t height;  // of a block
    std::size_t blocks;
    std::size_t width;  // of a strip
    std::size_t strips;
    std::size_t pieces = 1;  // of a strip of a block

    Cut(const kernels::MatmulKernel &kernel, const kernels::Matmul &call, const Executor &executor)
        : height(height_of_blocks(kernel, call.m, executor.concurrency())),
          blocks((call.m + height - 1) / height),
          width(kernels::columns_apart(kernel)),
          strips((call.n + width - 1) / width) {
        constexpr std::size_t fewest_rows = 8;
        const std::size_t most = height / fewest_rows;
        if (kernels::rows_rewritten_by(kernel) == 0 && most > 1) {
            const double of_strip = static_cast<double>(height) * kernel.cost.of(call.k * width);
            const double worth_it = of_strip / Parts::nanoseconds_of_piece(executor);
            pieces = static_cast<std::size_t>(std::clamp(worth_it, 1.0, static_cast<double>(most)));
        }
    }

    std::size_t count() const { return blocks * strips * pieces; }

    // Calls use(top, rows, left, columns) for parts of the product that are so many pieces together.
    template <class Use>
    void each(std::size_t first, std::size_t some, std::size_t m, std::size_t n, const Use &use) const {
        for (const std::size_t end = first + some; first < end;) {
            const std::size_t block = first / (strips * pieces);
            const std::size_t top = block * height;
            const std::size_t rows = std::min(height, m - top);
            const std::size_t left = first / pieces % strips * width;
            const std::size_t piece = first % pieces;
            const std::size_t in_block = std::min(end, (block + 1) * strips * pieces) - first;
            if (piece == 0 && in_block >= pieces) {
                const std::size_t together = in_block / pieces;
                use(top, rows, left, std::min(together * width, n - left));
                first += together * pieces;
            } else {
                const std::size_t to = std::min(pieces, piece + in_block);
                const std::size_t from_row = rows * piece / pieces;
                if (const std::size_t count = rows * to / pieces - from_row; count != 0) {
                    use(top + from_row, count, left, std::min(width, n - left));
                }
                first += to - piece;
            }
        }
    }
};

}  // namespace

void share_product(const Frame &frame, const kernels::MatmulKernel &kernel, const kernels::Matmul &call) {
    if (call.m == 0) {
        return;
    }
    const Cut cut(kernel, call, *frame.executor);
    const double of_product = static_cast<double>(call.m) * kernel.cost.of(call.k * call.n);
    const Parts parts(frame, cut.count(), of_product / static_cast<double>(cut.count()));
    parts.run([&](std::size_t, std::size_t first, std::size_t some) {
        cut.each(first, some, call.m, call.n,
                 [&](std::size_t top, std::size_t rows, std::size_t left, std::size_t columns) {
                     kernels::MatmulScaling row_scaling, scaling;
                     kernels::MatmulBlocks zero_blocks;
                     const kernels::Matmul own = rows_of(kernel, call, row_scaling, top, rows);
                     kernel.function(columns_of(kernel, own, scaling, zero_blocks, left, columns));
                 });
    });
}

}  // namespace tenrex::program
