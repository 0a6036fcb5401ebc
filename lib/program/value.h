// What steps read and write while a plan runs. A tensor is an index, its addresses, and cells, a dense block for each
// of them; values with the same addresses share the index. Everything exists for one document after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tenrex/executor.h>
#include <tenrex/label.h>
#include <tenrex/schema.h>

#include "lib/program/growing.h"
#include "lib/program/memory_budget.h"
#include "lib/program/sparse/address_table.h"
#include "lib/program/sparse/weight_table.h"

namespace tenrex::program {

struct PackedWeights;

// Dense blocks. Without mapped dimensions block `d` belongs to document d and begins d * stride bytes after `data`;
// with them, blocks follow each other without gaps and the index says whose they are.
struct Cells {
    std::byte *data = nullptr;
    std::ptrdiff_t stride = 0;             // 0: the documents share it
    Growing<std::byte> own;                // empty if the memory is a caller's, was planned or is shared
    Growing<std::byte> *shared = nullptr;  // one of Store::buffers that these cells have while they live; null: none
    const std::byte *maps =
        nullptr;  // of packed matrices with blocks of zeros (library/matrix_blocks.h); null: all count

    // Where a step makes room for them.
    Growing<std::byte> &memory() noexcept { return shared != nullptr ? *shared : own; }
};

// The addresses: one label per mapped dimension, in the order of the dimensions' names.
struct Index {
    const std::uint32_t *offsets = nullptr;  // blocks of document d: [offsets[d], offsets[d+1]); of shared ones: of [0]
    const Label *labels = nullptr;
    bool shared = false;  // by all documents
    bool sorted = false;  // one label per block, ascending within each document
    Growing<std::uint32_t> own_offsets;
    Growing<Label> own_labels;

    std::uint32_t begin(std::size_t document) const noexcept { return shared ? 0 : offsets[document]; }
    std::uint32_t end(std::size_t document) const noexcept { return shared ? offsets[1] : offsets[document + 1]; }
    // Of so many documents together; shared ones count once.
    std::size_t blocks(std::size_t documents) const noexcept { return shared ? offsets[1] : offsets[documents]; }
};

// So many blocks of all documents, if they can be numbered.
inline std::uint32_t block_number(std::size_t blocks) {
    if (blocks > std::numeric_limits<std::uint32_t>::max()) {
        throw BeyondBudget();
    }
    return static_cast<std::uint32_t>(blocks);
}

// The labels of an index whose blocks are rows of open dimensions: in each document the numbers from 0 on. Its offsets
// are there.
const Label *number_rows(Index &index, std::size_t documents);
// The same of several dimensions: a block for each combination of indexes, the last of which is the innermost. sizes:
// for each document as many as an address has labels.
const Label *number_rows(Index &index, std::size_t documents, std::size_t labels, const std::uint64_t *sizes);

// For each block of one index the block of another that goes with it.
struct BlockMap {
    Growing<std::uint32_t> of;
};

// Weights by label, if the labels could be laid out without collisions.
struct Weights {
    WeightTable table;
    bool usable = false;
};

// The values that one program makes: constants, those of a query, or those of a piece of documents.
struct Store {
    std::vector<Cells> cells;
    std::vector<Index> indexes;
    std::vector<BlockMap> maps;
    std::vector<AddressTable> tables;
    std::vector<Weights> weights;
    std::vector<Growing<std::byte>> tiles;    // what steps need that compute formulas; trees of forests
    Growing<std::byte> planned;               // cells whose size is known when compiling
    std::vector<Growing<std::byte>> buffers;  // of other cells, each of some that live one after the other
    std::vector<std::shared_ptr<const PackedWeights>> weights_held;  // that other plans may have, too

    // Without weights that other plans may have.
    std::size_t memory_bytes() const noexcept;
    // Of values whose size is known only while a program runs.
    void count_in(MemoryBudget &budget) noexcept;
    void release() noexcept;
};

template <class T>
struct Slot {
    static constexpr std::uint32_t no_number = ~std::uint32_t{0};
    Stage stage = Stage::constant;
    std::uint32_t number = no_number;

    explicit operator bool() const noexcept { return number != no_number; }
    friend auto operator<=>(const Slot &, const Slot &) = default;
};
using CellsSlot = Slot<Cells>;
using IndexSlot = Slot<Index>;
using MapSlot = Slot<BlockMap>;
using TableSlot = Slot<AddressTable>;
using WeightsSlot = Slot<Weights>;

// The texts of labels.
class LabelTexts {
public:
    explicit LabelTexts(const LabelTable &table) noexcept : table_(&table) {}

    // The label of a whole number, such as a peek computes. Negative numbers are texts; that of one which is not in the
    // table is a label that nothing has.
    Label find(std::int64_t number) const noexcept;
    // Compares the texts byte by byte: below 0 if a comes first.
    int compare(Label a, Label b) const noexcept;

    // What no label equals.
    static constexpr Label nowhere{~std::uint64_t{0}};

private:
    const LabelTable *table_;
};

// Room for what a step needs only while it runs.
struct Scratch {
    AddressTable table;
    AddressTable other_table;
    Growing<std::byte> bytes;
    Growing<std::byte> more_bytes;
    Growing<std::byte> gathered[3];  // blocks of operands
    Growing<double> numbers;
    Growing<std::uint32_t> blocks;
    Growing<std::uint32_t> match_offsets;
    Growing<std::uint32_t> outer_blocks;  // of matches
    Growing<std::uint32_t> inner_blocks;
    Growing<std::uint32_t> found_blocks;  // inner ones, for each outer block of a document
    Growing<std::uint32_t> group_places;
    Growing<std::uint32_t> row_counts;  // of groups
    Growing<Label> labels;
    Growing<std::ptrdiff_t> offsets;

    std::size_t memory_bytes() const noexcept;
    void count_in(MemoryBudget &budget) noexcept;
    void release() noexcept;
};

// Two numbers of rows that are to be the same: which dimension has them, and where.
struct SizeNames {
    std::string what, first, second;
};

// A program at work on some documents.
struct Frame {
    std::size_t documents = 1;
    Store *stores[3] = {};  // by stage; a program writes only to its own
    Scratch *scratch = nullptr;
    const LabelTexts *labels = nullptr;
    std::uint64_t most_cells = 0;  // Limits::evaluation_cells
    bool too_large = false;        // a value went beyond that; the results mean nothing
    bool are_placed = false;       // there is one document, and its cells that Plan::placements lists are there
    // Sizes of a document that differ; the program stops as if a value was too large.
    const SizeNames *unequal = nullptr;
    std::size_t unequal_document = 0;
    std::uint32_t unequal_sizes[2] = {};
    Executor *executor = nullptr;  // whose threads share long steps; null: there are none

    Cells &cells(CellsSlot slot) const noexcept { return stores[static_cast<int>(slot.stage)]->cells[slot.number]; }
    Index &index(IndexSlot slot) const noexcept { return stores[static_cast<int>(slot.stage)]->indexes[slot.number]; }
    BlockMap &map(MapSlot slot) const noexcept { return stores[static_cast<int>(slot.stage)]->maps[slot.number]; }
    AddressTable &table(TableSlot slot) const noexcept {
        return stores[static_cast<int>(slot.stage)]->tables[slot.number];
    }
    Weights &weights(WeightsSlot slot) const noexcept {
        return stores[static_cast<int>(slot.stage)]->weights[slot.number];
    }
};

}  // namespace tenrex::program
