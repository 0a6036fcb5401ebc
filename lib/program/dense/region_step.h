// A step that computes a formula on cells: all of its operations on some cells, then on the next ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lib/program/cache_line.h"
#include "lib/program/dense/region_code.h"
#include "lib/program/dense/row_totals.h"
#include "lib/program/dense/strided_cells.h"
#include "lib/program/step.h"

namespace tenrex::program {

// The values of a region lie one after the other as in a column, or there is a document at a time. Full tiles are read
// and written where they are; the last cells, which are no whole vectors, go through rooms of their own.
class RegionStep : public Step {
public:
    // tiles: the number of the step's memory in a store; most_documents: that the program works on at a time.
    RegionStep(RegionCode code, const kernels::TileTarget &target, std::uint32_t tiles, std::size_t most_documents);
    void prepare(Store &store) const override;
    void run(Frame &frame) const override;
    // Computes the cells of one document, which have a place already.
    void run_document(Frame &frame, std::size_t document) const;
    SingleFormula single_formula(Store &store) const override;
    std::string describe() const override;
    std::string parts() const override;
    std::string kernel() const override;
    std::string reasons(kernels::Isa isa) const override { return kernels::explain_tiles(isa); }
    CellsSlot result() const override { return reduction_ ? reduction_->to : outputs_.back().to; }
    Work work() const override { return work_; }
    // For a document on its own.
    std::vector<Placement> placements() const;
    // What each context needs for it.
    std::size_t memory_bytes() const noexcept { return memory_bytes_; }

private:
    // Cells that come in, of any kind. `value` is the number among the tile's values.
    struct Source {
        CellsSlot from;
        std::size_t width = 0;  // bytes of a cell
        std::uint32_t value = 0;
        const kernels::ConversionKernel *conversion = nullptr;
        std::size_t period = 0;  // of repeated cells
        BroadcastPart part = BroadcastPart::all;
        bool is_placed = false;
        bool is_of_blocks = false;

        // Of strided cells: from those of a document or block to the next ones.
        std::ptrdiff_t stride(const Cells &cells) const noexcept {
            return is_of_blocks ? static_cast<std::ptrdiff_t>(period * width) : cells.stride;
        }
        std::size_t broadcast_width() const noexcept { return part == BroadcastPart::all ? width : sizeof(float); }
        // Of one that needs no conversion.
        CellType type() const noexcept { return width == sizeof(double) ? CellType::f64 : CellType::f32; }
    };
    struct Output {
        CellsSlot to;
        std::size_t width = 0;
        std::uint32_t value = 0;
        kernels::TileStoreFunction *store = nullptr;
    };
    // Of the rows that become numbers. Parts of a row are so many rows of a tile, or as many cells as a tile has.
    struct Reduction : RegionReduction {
        // Aggregates what the last operation gives; null: its cells go to a room, from where a kernel takes them.
        kernels::TileReduceFunction *function = nullptr;
        std::size_t together = 1;  // rows of a tile
        std::size_t parts = 1;     // of a row
    };
    // Sources of one kind: the doubles first.
    struct Sources {
        std::size_t begin = 0, doubles = 0, end = 0;  // among all sources

        bool has(std::size_t source) const noexcept { return source >= begin && source < end; }
    };
    // Where a value is kept: an offset into the memory or the constants. In whole tiles what comes in and goes out is
    // elsewhere.
    struct Place {
        std::size_t offset = 0;
        bool constant = false;
        bool goes_on = true;
        std::size_t room = 0;       // bytes of what is written out for a tile
        std::size_t row_bytes = 0;  // from a row of a whole tile to the next one
    };
    // The step's part of a store.
    struct Memory {
        kernels::TileValue *whole;  // the values of whole tiles
        kernels::TileValue *last;   // and of the last cells
        const std::byte **sources;  // of the current cells
        std::size_t *written;       // of the strided sources: what their rooms have
        std::byte *base;            // of all of it
    };
    // Where among the constants it is.
    std::size_t add_constant(const RegionValue &value);
    void find_reduction(RegionCode &code);
    void find_tile(const RegionCode &code, std::size_t wanted, std::size_t room_width);
    void find_parts(std::size_t room_width);
    void lay_out(std::uint32_t first_room, std::uint32_t rooms, std::size_t room_width);
    void add_operations(const RegionCode &code, const std::vector<std::uint32_t> &number);
    Memory memory_at(std::byte *memory) const noexcept;
    Memory copy_of(const Memory &memory, std::byte *to) const noexcept;
    std::byte *single_cells(Store &store) const noexcept;

    // Returns whether the cells of all documents follow each other.
    bool point_to(Frame &frame, const Memory &memory, std::size_t document) const;
    void broadcast_numbers(const Memory &memory) const;
    void repeat(Frame &frame, const Memory &memory, std::size_t count) const;
    const kernels::TypedTileKernels &kernels_of(const Source &source) const noexcept {
        return target_.of(source.broadcast_width() == sizeof(double) ? CellType::f64 : CellType::f32);
    }
    void read_number(const Source &source, const Cells &cells, std::size_t document, std::byte *to) const;
    void broadcast_documents(Frame &frame, const Memory &memory, std::size_t document) const;
    void write_documents(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const;
    void point_to_documents(Frame &frame, const Memory &memory, kernels::TileValue *values, std::size_t first,
                            kernels::TileSize size) const;
    void write_out(Frame &frame, const Memory &memory, kernels::TileValue *values, std::size_t first,
                   kernels::TileSize size) const;
    std::size_t rows_together(std::size_t first, std::size_t rows) const noexcept;
    kernels::TileSize next_rows(std::size_t first, std::size_t count) const noexcept;
    kernels::TileSize next_tile(std::size_t first, std::size_t count) const noexcept;
    RowTotals totals_from(Frame &frame, std::size_t first) const;
    void reduce_rows(const kernels::TileValue *values, kernels::TileSize size, RowTotals &totals) const;
    Store &store_of(Frame &frame) const { return *frame.stores[static_cast<int>(result().stage)]; }
    void run_single_cell(Frame &frame) const;
    void run_documents(Frame &frame) const;
    void run_blocks(Frame &frame) const;
    void run_blocks_of(Frame &frame, const Memory &memory, std::size_t document, bool alone) const;
    void set_documents(const Memory &memory, bool written_out) const;
    void run_cells(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const;
    template <bool has_rows>
    void run_tiles(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const;
    void share_cells(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const;
    void run_scattered(Frame &frame, const Memory &memory) const;
    void compute(const Memory &memory, const kernels::TileValue *values, kernels::TileSize size) const;
    void run_operations(const kernels::TileValue *values, kernels::TileSize size) const;
    void copy_last(const Memory &memory, std::size_t first, std::size_t count) const;
    void store_last(Frame &frame, const Memory &memory, std::size_t first, std::size_t count) const;

    // Of what it does, in this order.
    std::vector<std::string> names() const;

    IndexSlot index_;    // of the addresses, if there are any
    std::size_t cells_;  // of a document or block
    kernels::TileTarget target_;
    std::uint32_t tiles_;   // the number of the memory in a store
    std::size_t tile_ = 0;  // cells
    std::size_t row_ = 0;   // of strided sources: tiles are rows of so many cells, or part of one; 0: any cells
    bool documents_are_rows_ = false;  // each is a row or several: its numbers are broadcast along them
    std::size_t whole_row_ = 0;        // that, up to whole vectors
    std::vector<Source> sources_;
    Sources whole_, shared_numbers_, shared_rows_, document_numbers_, strided_, converted_;
    std::vector<StridedCells> strided_cells_;  // of the strided sources
    std::vector<Output> outputs_;              // none if there is a reduction
    std::optional<Reduction> reduction_;
    bool reads_exactly_ = false;        // of a reduction: nothing behind the last cell of a row
    std::vector<CacheLine> constants_;  // a vector full of each
    std::size_t constant_bytes_ = 0;
    std::vector<kernels::TileOperation> operations_;  // and pauses, and an end
    std::vector<bool> in_one_row_;  // by operation that is stored: rows of a tile that follow each other are one
    std::vector<kernels::TileTerm> terms_;
    std::vector<Place> places_;     // of the values
    std::size_t single_cells_ = 0;  // where in the memory the values of a document on its own begin
    std::size_t memory_bytes_ = 0;
    std::vector<std::string> names_;  // of the operations
    Work work_;
};

}  // namespace tenrex::program
