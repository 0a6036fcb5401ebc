// The code of a region: a list of operations on tiles of cells, and the memory that a step needs to run it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/kernels/tile/tile_kernels.h"
#include "lib/program/layout.h"
#include "lib/program/value.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::program {

// Documents with at most so many cells are computed together: cells that they share are written out again and again,
// and a number of each document is broadcast along its cells. Larger ones are computed one at a time.
inline constexpr std::size_t short_block = 128;

// What a value of the code is. Values that are broadcast have fewer cells than the result.
enum class RegionValueKind : std::uint8_t {
    cells,               // cells of another step or a column, at the same places as those of the result
    broadcast_number,    // one number that all documents or blocks share
    broadcast_row,       // a few cells that all documents or blocks share, over and over
    broadcast_document,  // a number of each document, for all cells of the document
    strided,             // cells of a value with some of the dimensions of the result
    converted,           // cells of another type, that a kernel for rows converts
    constant,            // one number for all
    computed,            // by an operation
};

// Which part of a double is broadcast.
enum class BroadcastPart : std::uint8_t {
    all,
    nearest_float,
    rest,           // what the nearest float leaves of it, as a float
    negative_rest,  // and that with the other sign
};

struct RegionValue {
    RegionValueKind kind = RegionValueKind::computed;
    CellType type = CellType::f64;  // f32 or f64
    CellsSlot from;                 // neither constant nor computed
    std::size_t period = 0;         // broadcast_row, strided: how many cells there are
    LoopNest<1> nest;               // strided: over the cells of the result, the strides are those of the value
    bool is_of_blocks = false;      // strided: each block of the index has its own, one after the other
    BroadcastPart part = BroadcastPart::all;
    const kernels::ConversionKernel *conversion = nullptr;
    bool is_placed = false;    // of cells: an evaluation of one document may put its cell where the code reads it
    double number = 0;         // constant
    CellsSlot to;              // of a computed value that other steps read
    bool one_for_all = false;  // of a computed value: it is the conversion of a number that all share
    std::uint32_t room = 0;    // where a value is kept that is computed or converted and that no other step reads

    bool is_aggregated = false;  // of a computed value: by the operation that makes it

    bool has_room() const noexcept {
        return kind == RegionValueKind::converted ||
               (kind == RegionValueKind::computed && !to && !one_for_all && !is_aggregated);
    }
};

enum class RegionOperationKind : std::uint8_t { elementwise, convert, in_set, sum_of_products, choice };

// An operation in terms of values, which are made in order.
struct RegionOperation {
    RegionOperationKind kind = RegionOperationKind::elementwise;
    kernels::ElementwiseOperation elementwise = kernels::ElementwiseOperation::copy;
    kernels::TileComparison comparison = kernels::TileComparison::less;
    std::uint32_t result = 0;
    std::vector<std::uint32_t> operands;  // of a sum of products: the factors, two by two; of a set: its members last;
                                          // of a choice: the results, and what is compared
};

// What becomes of a computed value that nothing else reads: rows of its cells become numbers.
struct RegionReduction {
    std::uint32_t value = 0;
    std::size_t length = 0;  // cells of a row: at least tile_cells
    Aggregator aggregator = Aggregator::sum;
    const kernels::ReduceKernel *kernel = nullptr;
    CellsSlot to;
    CellType type = CellType::f64;  // of the results: f32 or f64
};

struct RegionCode {
    IndexSlot index;               // of the addresses, if there are any
    bool index_of_shared = false;  // it holds copies of one that the documents share
    std::size_t cells = 1;         // of a document or block
    std::vector<RegionValue> values;
    std::vector<RegionOperation> operations;
    std::optional<RegionReduction> reduction;  // else the values that have a place are the results
    double flops = 0;                          // for a document or block

    std::uint32_t add(RegionValue value) {
        values.push_back(std::move(value));
        return static_cast<std::uint32_t>(values.size() - 1);
    }
    CellType type_of(const RegionOperation &operation) const { return values[operation.result].type; }
    // "multiply", "sum of 20 products"
    std::string name_of(const RegionOperation &operation) const;
};

// Additions one after the other become sums of products, which keep the sum in a register: the same additions in the
// same order.
void merge_sums(RegionCode &code);

// A comparison that does nothing but choose between two values is one operation with the choice; so is each of several
// that "and" and "or" connect.
void merge_choices(RegionCode &code);

// Gives values rooms, as few as there are such values at a time. Returns their number.
std::uint32_t assign_rooms(RegionCode &code);

}  // namespace tenrex::program
