// What the kernels for products of matrices take.
//
//   out[m][n] = activation(bias[n] plus the sum over k of a[m][k] * b[k][n])
//
// b is first rewritten ("packed") into the order in which the kernel reads it, by the function that comes with the
// kernel: once for a constant, once per query for what a query brings. All cells have the type of the kernel, but for
// bias and result where a and b are int8 or bfloat16: those are float. Nothing needs to be aligned, but packed cells on
// a multiple of 64 bytes are read fastest. A b of float or double cells whose rows lie side by side and are whole
// vectors may stay as it is: for a few rows of a that takes less time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenrex::kernels {

// Cell [i][j] of b is b[i * b_k + j * b_n]: with the strides swapped it is the transpose that is packed.
struct Pack {
    const void *b = nullptr;
    std::ptrdiff_t b_k = 0;  // strides in cells; any
    std::ptrdiff_t b_n = 0;
    std::size_t k = 0;
    std::size_t n = 0;
    void *packed = nullptr;  // packed_cells(kernel, k, n) cells
};

using PackFunction = void(const Pack &) noexcept;

// Rows of a that are copied or rewritten are so many at a time, up to whole tiles.
inline constexpr std::size_t rows_rewritten = 24;

// What is done to a cell before it is stored. relu makes negative cells zero; it keeps NaN, and zeros of both signs.
// gelu is x*(1+erf(x/sqrt(2)))/2, gelu_tanh x*(1+tanh(sqrt(2/pi)*(x+0.044715*x^3)))/2, both where sums are float.
enum class MatmulActivation : std::uint8_t { none, relu, gelu, gelu_tanh };

// What the sums of a product stand for, where they are float. A cell is sum * row_scale[m] * column_scale[n] +
// row_offset[m] * column_offset[n], each of these operations rounded, before a bias is added.
struct MatmulScaling {
    const float *row_scale = nullptr;
    const float *column_scale = nullptr;
    const float *row_offset = nullptr;
    const float *column_offset = nullptr;
};

// Which blocks of a packed b are not all zeros; the others need not be multiplied. A block is a panel of columns by
// `rows_of_block` rows, fewer in the last block of a panel (zero_blocks.h). first null: nothing is known.
struct MatmulBlocks {
    static constexpr std::size_t rows_of_block = 16;
    static constexpr std::size_t fetched_ahead = 12;  // so many blocks before they are read

    // For each block, those of a panel one after the other: how many before it are not zeros; then how many there are.
    const std::uint32_t *first = nullptr;
    // Where those begin, counted in rows of packed cells; then so many numbers as may be fetched ahead.
    const std::uint32_t *rows = nullptr;
    // For each panel a power of two that all its cells are multiples of, where they are floats: see rows-inl.h.
    const std::int16_t *least_place = nullptr;
    std::size_t before = 0;  // so many panels stand before the packed cells: `rows` counts them, too
    double share = 0;        // of the multiplications, those of zeros

    // From which share on it takes less time to leave blocks out of the product of so many rows. Few rows do not pay
    // for looking for the next block, and a single one takes several panels at a time unless their blocks differ.
    // Measured with AVX2, see docs/measuring.md.
    static constexpr double least_share(std::size_t row_count) {
        constexpr std::size_t many = 48;
        constexpr std::size_t few = 4;
        return row_count >= many ? 0.125 : row_count >= few ? 0.5 : 0.75;
    }
    bool pays(std::size_t row_count) const { return first != nullptr && share >= least_share(row_count); }
};

// Writes m rows of n cells. `out` overlaps nothing else.
struct Matmul {
    const void *a = nullptr;
    std::ptrdiff_t a_row = 0;  // strides in cells; any
    std::ptrdiff_t a_k = 1;
    const void *packed = nullptr;
    std::size_t m = 0;
    std::size_t n = 0;
    std::size_t k = 0;
    const void *bias = nullptr;  // n cells, or null
    void *out = nullptr;
    std::ptrdiff_t out_row = 0;  // stride in cells; the columns are contiguous
    MatmulActivation activation = MatmulActivation::none;
    std::ptrdiff_t b_row = 0;  // 0: b is packed; else `packed` is b as it is, and that the stride of its rows in cells
    const MatmulScaling *scaling = nullptr;  // null: there is none
    const MatmulBlocks *blocks = nullptr;    // of a packed b; null: all are multiplied, and as much is written
};

using MatmulFunction = void(const Matmul &) noexcept;

enum class MatmulReduction : std::uint8_t { max, min };

// Writes n cells: for each column of the product the largest or the smallest of its m cells, m >= 1. The product itself
// is never stored. NaN is passed over unless a column has nothing else.
struct MatmulReduce {
    MatmulReduction reduction = MatmulReduction::max;
    const void *a = nullptr;
    std::ptrdiff_t a_row = 0;
    std::ptrdiff_t a_k = 1;
    const void *packed = nullptr;
    std::size_t m = 0;
    std::size_t n = 0;
    std::size_t k = 0;
    void *out = nullptr;
    bool accumulate = false;  // take what is in `out` for one more row
};

using MatmulReduceFunction = void(const MatmulReduce &) noexcept;

}  // namespace tenrex::kernels
