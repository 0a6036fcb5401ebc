// The kernels that reduce rows as data: which exist for an operation and a cell type, and which to take.
//
//   const ReduceKernel *kernel = choose_reduce(ReduceOperation::sum, CellType::f32, 768, allowed_isa());
//   kernel->function({cells, 3072, rows, 768, out});
//   kernel->columns({cells, 3072, rows, 768, totals});
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/reduce/reduce.h"
#include "lib/kernels/registry.h"

namespace tenrex::kernels {

enum class ReduceOperation : std::uint8_t {
    sum,        // in double
    float_sum,  // in float; of columns from the first row to the last
    prod,       // in double
    max,        // NaN is passed over unless there is nothing else
    min,        // likewise
    median,     // of rows alone; NaN if any cell is
};

std::string_view name(ReduceOperation operation) noexcept;

struct ReduceKernel : Kernel<RowsFunction> {
    ReduceOperation operation;
    CellType type;
    ColumnsFunction *columns;  // null for medians

    // The cell type of the totals of columns.
    constexpr CellType total() const noexcept {
        const bool adds = operation == ReduceOperation::sum || operation == ReduceOperation::prod;
        return adds || type == CellType::f64 ? CellType::f64 : CellType::f32;
    }
};

// Adds up rows with weights.
struct WeightedRowsKernel : Kernel<WeightedRowsFunction> {
    CellType type;  // f32 or f64
};

std::span<const ReduceKernel> reduce_kernels() noexcept;
std::span<const WeightedRowsKernel> weighted_rows_kernels() noexcept;

// The cheapest kernel for rows of `length` cells; there always is one. If none reads cells of this type it is one of
// float cells: the caller converts to kernel->type.
const ReduceKernel *choose_reduce(ReduceOperation operation, CellType type, std::size_t length, Isa isa) noexcept;

// The same with everything that was considered, the chosen one first.
std::vector<Candidate<ReduceKernel>> reduce_candidates(ReduceOperation operation, CellType type, std::size_t length,
                                                       Isa isa);

// The same for rows with weights, of cells of type f32 or f64.
const WeightedRowsKernel *choose_weighted_rows(CellType type, std::size_t length, Isa isa) noexcept;
std::vector<Candidate<WeightedRowsKernel>> weighted_rows_candidates(CellType type, std::size_t length, Isa isa);

}  // namespace tenrex::kernels
