// What kernels take that compute a formula on a tile: some cells at a time, one operation after the other, with all
// values between them in a few kilobytes of memory that the caller provides.
//
// A tile has one row of cells or more. Rows are whole vectors: a kernel reads and writes as many of them as the cells
// of a row take, so a row needs room for a multiple of tile_cells cells; what lies behind the cells means nothing. It
// may be the beginning of the next row, as rows are written from first to last. A cell of a result depends on the cells
// of its own place alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenrex::kernels {

// So many cells of any type are whole vectors of any kernel.
inline constexpr std::size_t tile_cells = 16;

// Where a value is: its cells from there on. If it does not go on, each row has one cell: in a tile of one row a vector
// of that cell, of the kernels' size.
struct TileValue {
    std::byte *cells;
    std::uintptr_t goes_on;        // all bits set or 0
    std::ptrdiff_t row_bytes = 0;  // from a row to the next one
};

// How many cells a row of a tile has.
struct TileSize {
    std::size_t cells;
    std::size_t rows;

    constexpr TileSize(std::size_t row_cells, std::size_t row_count = 1) noexcept : cells(row_cells), rows(row_count) {}
    constexpr std::size_t all() const noexcept { return cells * rows; }
};

struct TileOperation;
using TileFunction = void(const TileOperation &, const TileValue *values, TileSize size) noexcept;

// Formulas on one cell each are computed without tiles, whose vectors would be idle but for a lane. All values lie one
// after the other then, value n at single_cell_bytes * n; and each operation calls the one behind it in an array: a
// loop over them would take as long as most of them. Compilers make jumps of these calls if they optimize; for those
// that do not there are pauses, so that a formula of any length fits into the stack.
inline constexpr std::size_t single_cell_bytes = sizeof(double);
inline constexpr std::size_t operations_between_pauses = 64;
// Returns where to go on: behind the next pause; null at the end.
using SingleCellFunction = const TileOperation *(const TileOperation &, std::byte *values) noexcept;

// An operation in both forms, which give the same bits.
struct TileFunctions {
    TileFunction *tile = nullptr;
    SingleCellFunction *single_cell = nullptr;
};

// The product of two values, by their numbers.
struct TileTerm {
    std::uint32_t a, b;
};

// values[out] = f(values[in[0]], values[in[1]], ...), of as many as the operation has operands. The result may be an
// operand exactly, unless it has another cell type. Any operand may be one cell for each row. Results go on, but for a
// conversion of a vector for all in a tile of one row, which may do so or not.
struct TileOperation {
    TileFunctions function;
    std::uint32_t out = 0;
    std::uint32_t in[4] = {};
    std::uint32_t count = 0;          // of the terms, or of the members of a set: the values in[1], in[1]+1, ...
    const TileTerm *terms = nullptr;  // of a sum of products: added from first to last; each product and sum is rounded
};

// What an operation gives, aggregated instead of stored: out[i] is the sum, the largest or the smallest of the cells of
// `together` rows of the tile, from row i * together on; NaN is passed over by extremes unless there is nothing else.
// Sums are formed in the operation's cell type. The tile has a multiple of so many rows.
using TileReduceFunction = void(const TileOperation &, const TileValue *values, TileSize size, std::size_t together,
                                double *out) noexcept;
// Null for operations that are not worth it.
struct TileReductions {
    TileReduceFunction *sum = nullptr;
    TileReduceFunction *largest = nullptr;
    TileReduceFunction *smallest = nullptr;
};

// For each value: as many cells from elsewhere, which need not be aligned, and zeros up to the end of a vector.
using TileLoadFunction = void(const TileValue *values, const std::byte *const *sources, std::size_t count,
                              std::size_t cells) noexcept;
// For each value: one vector of a single cell from elsewhere.
using TileBroadcastFunction = void(const TileValue *values, const std::byte *const *sources,
                                   std::size_t count) noexcept;
// The cells, and nothing behind them.
using TileStoreFunction = void(std::byte *to, const std::byte *value, std::size_t cells) noexcept;

// A matrix whose rows become columns: row j of `to`, its cells side by side, is column j of `from`. Strides from row to
// row are in bytes; rows and columns are those of `from`, whose rows have their cells side by side, too. Nothing is
// written beside the cells.
struct Transposition {
    std::byte *to;
    std::ptrdiff_t to_stride;
    const std::byte *from;
    std::ptrdiff_t from_stride;
    std::size_t rows, columns;
};
using TransposeFunction = void(const Transposition &) noexcept;

// Matrices with fewer rows or columns gain nothing from it.
constexpr std::size_t transposed_at_once(std::size_t cell_bytes) noexcept {
    return 16 / cell_bytes;
}

inline constexpr std::size_t tile_operation_count = 0
#define TENREX_ELEMENTWISE(operation, arity) +1
#include "lib/kernels/elementwise/operations.def"
#undef TENREX_ELEMENTWISE
    ;

// What a choice asks of in[2] and in[3]: if it holds, the result is in[0], else in[1].
enum class TileComparison : std::uint8_t { less, less_equal, equal };
inline constexpr std::size_t tile_comparison_count = 3;

// The kernels of one instruction set and one cell type, float or double.
struct TypedTileKernels {
    TileFunctions operations[tile_operation_count];   // in the order of operations.def
    TileReductions reductions[tile_operation_count];  // in the same order
    TileFunctions sum_of_products;
    TileFunctions choices[tile_comparison_count];
    TileFunctions in_set;   // 1 where in[0] equals a member, else 0
    TileFunctions convert;  // from the other type
    TileLoadFunction *load;
    TileBroadcastFunction *broadcast;
    TileStoreFunction *store;
};

struct TileKernels {
    TypedTileKernels floats;
    TypedTileKernels doubles;
    TileFunctions pause, end;         // do nothing
    TransposeFunction *transpose[4];  // of cells of 1, 2, 4 and 8 bytes
};

}  // namespace tenrex::kernels
