// Steps that take single cells of dense values from computed indexes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// All bits, or none.
template <class Bits>
Bits all_or_none(bool all) noexcept {
    return static_cast<Bits>(Bits{0} - static_cast<Bits>(all));
}

// Numbers, f64 cells, that the indexes of a dimension are computed from.
struct IndexChooser {
    BlockUse cells;
    std::size_t stride = 0;  // cells of the operand per index
    std::size_t size = 0;    // of the dimension

    // Moves `cell` on to the index that is the number there, truncated. False if there is none: then it stays.
    bool move(const std::byte *there, std::ptrdiff_t &cell) const noexcept {
        double number;
        std::memcpy(&number, there, sizeof(number));
        // What is above -1 becomes 0. No branch: nobody could guess it.
        const bool exists = (static_cast<int>(number > -1) & static_cast<int>(number < static_cast<double>(size))) != 0;
        const auto bits = std::bit_cast<std::uint64_t>(number) & all_or_none<std::uint64_t>(exists);
        cell += static_cast<std::ptrdiff_t>(std::bit_cast<double>(bits)) * static_cast<std::ptrdiff_t>(stride);
        return exists;
    }
};

// For each cell of a result the cell of an operand that some of its indexes say; `nowhere` if one of them does not
// exist. They are known before the documents are, and so are the places.
class PlacesStep : public Step {
public:
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

    // nest: over the cells of the result; array 0 the operand, then one for each chooser. base: of the operand, in
    // cells. It has fewer cells than `nowhere`.
    PlacesStep(std::vector<IndexChooser> choosers, LoopNest<any_number> nest, std::size_t base, MapSlot result)
        : choosers_(std::move(choosers)), nest_(std::move(nest)), base_(base), result_(result) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "places of indexes"; }
    Work work() const override;

private:
    std::vector<IndexChooser> choosers_;
    LoopNest<any_number> nest_;
    std::size_t base_;
    MapSlot result_;
};

// Cells of a dense operand at indexes that are numbers of each document, one for each cell of the result. What does not
// exist is 0.
class PeekByIndexStep : public Step {
public:
    struct Shape {
        CellsSlot operand;
        std::size_t cell_bytes = 1;
        MapSlot places;           // in the order of the nest, of what other indexes say; none: there is one
        std::uint32_t place = 0;  // that one
        std::vector<IndexChooser> choosers;
        LoopNest<any_number> nest;  // over the cells of the result; array 0 the result, then one for each chooser
        Target target;
    };
    explicit PeekByIndexStep(Shape shape) : shape_(std::move(shape)) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    CellsSlot result() const override { return shape_.target.cells; }
    Work work() const override { return copying(shape_.target); }

private:
    // Cells of each document that follow each other at equal distances, all of which are in bytes.
    struct Run {
        std::size_t documents;
        const std::byte *source;
        std::ptrdiff_t source_step;  // to the next document
        std::byte *to;
        std::ptrdiff_t to_step;
        std::ptrdiff_t cell_step;
        const std::uint32_t *places;
        std::size_t cells;
    };

    template <class Cell>
    void run_cells(Frame &frame) const;
    // offsets: of the arrays of the nest, where the run begins.
    template <class Cell>
    void copy_one_chooser(const Frame &frame, const std::uint32_t *places, const std::ptrdiff_t *offsets) const;
    template <class Cell>
    void copy_any(const Frame &frame, const std::uint32_t *places, const std::ptrdiff_t *offsets) const;
    Run run_of(const Frame &frame, const std::uint32_t *places, const std::ptrdiff_t *offsets) const;
    // Both are copies: no cell that is written could be in them.
    template <class Cell, class Move>
    static void copy_cells(Run run, Move move) noexcept;

    Shape shape_;
};

}  // namespace tenrex::program
