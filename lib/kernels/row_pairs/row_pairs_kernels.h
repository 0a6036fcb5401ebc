// The kernels over pairs of rows as data: which exist for an operation and cell types, and which to take.
//
//   const RowPairChoice choice = choose_row_pairs(RowPairOperation::dot, CellType::i8, CellType::f32, 768,
//   allowed_isa()); choice.run({query, 0, cells, 3072, rows, 768, out});   // `out` as choice.kernel->out says
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/registry.h"
#include "lib/kernels/row_pairs/row_pairs.h"

namespace tenrex::kernels {

enum class RowPairOperation : std::uint8_t {
    dot,                // sum of a*b
    squared_distance,   // sum of (a-b)*(a-b)
    absolute_distance,  // sum of |a-b|
    hamming,            // number of bits that differ; int8 cells
    // The sum of a[8*i+k] * bit(b[i], 7-k) (big) or bit(b[i], k) (little), k from 0 to 7: dot products with bits that
    // are never unpacked. `length` counts the cells of b; a has eight times as many.
    dot_bits_big,
    dot_bits_little,
    // Of a*b, a-b or |a-b|; NaN is passed over unless there is nothing else, and of no cells it is 0.
    largest_product,
    smallest_product,
    largest_difference,
    smallest_difference,
    largest_distance,
    smallest_distance,
    // How often a < b, a <= b or a == b.
    count_less,
    count_less_equal,
    count_equal,
};

std::string_view name(RowPairOperation operation) noexcept;

struct RowPairKernel : Kernel<RowPairFunction> {
    RowPairOperation operation;
    CellType a;
    CellType b;
    CellType out;  // f32 or f64
};

// A kernel, and whether its operands are those asked for in the other order.
struct RowPairChoice {
    const RowPairKernel *kernel = nullptr;
    bool swapped = false;

    void run(RowPairs pairs) const {
        if (swapped) {
            pairs = {pairs.b, pairs.b_stride, pairs.a, pairs.a_stride, pairs.rows, pairs.length, pairs.out};
        }
        kernel->function(pairs);
    }
};

// All kernels of the families.
std::span<const RowPairKernel> row_pair_kernels() noexcept;

// The cheapest kernel for rows of `length` cells; kernel is null if none exists for these cell types.
RowPairChoice choose_row_pairs(RowPairOperation operation, CellType a, CellType b, std::size_t length,
                               Isa isa) noexcept;

// A kernel for any two cell types, and which of them it reads: if none reads both as they are, the caller converts both
// to double where one is double, else both to float.
struct ConvertedRowPairs {
    CellType a;
    CellType b;
    RowPairChoice choice;
};
ConvertedRowPairs choose_converted_row_pairs(RowPairOperation operation, CellType a, CellType b, std::size_t length,
                                             Isa isa) noexcept;

// The same as choose_row_pairs() with everything that was considered, the chosen one first.
std::vector<Candidate<RowPairKernel>> row_pair_candidates(RowPairOperation operation, CellType a, CellType b,
                                                          std::size_t length, Isa isa);

}  // namespace tenrex::kernels
