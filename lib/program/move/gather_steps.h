// Steps that take cells from where a list of indices says: peeks at indexes that do not depend on the documents, and
// choices between such peeks. gather_split_step.h lists the indices of those that do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// A list of indices begins with a header. It consists of runs if they are long, else of an entry for each cell.
struct GatherIndices {
    std::uint32_t runs = 0;
    std::uint32_t entries = 0;
    std::uint32_t has_one_source = 0;  // the first one, of all entries

    // A cell of a source; the source behind the last one is a zero.
    struct Entry {
        std::uint32_t source;
        std::int32_t cell;
    };
    // Cells of the result that follow each other, from cells of one source that are equally far apart.
    struct Run {
        Entry first;
        std::int32_t stride;
        std::uint32_t count;
    };
    // A run takes about as long as so many entries.
    static constexpr std::size_t entries_in_run = 4;
};

// Which cell of which source each cell of the result is, as operations that are looked at from the first one on.
struct GatherRule {
    // How far an operand moves on, in cells, with each dimension of the result.
    using Strides = std::vector<std::ptrdiff_t>;
    // Numbers that an operation reads: f64 cells.
    struct Numbers {
        CellsSlot cells;
        Strides strides;
    };
    // An index of a peek, and how many cells one index is; beyond the size the cell is 0.
    struct Index {
        Numbers numbers;
        std::size_t stride = 0;
        std::size_t size = 0;
    };
    // A choice between two operations, or else cells of a source.
    struct Operation {
        bool is_choice = false;
        Numbers condition;                    // of a choice
        std::array<std::uint32_t, 2> when{};  // operations: where it is zero, and where it is not
        std::uint32_t source = 0;             // else: its number
        std::size_t base = 0;                 // cells from the start of its block
        Strides strides;                      // of the dimensions that are not peeked
        std::vector<Index> indexes;
    };
    std::vector<std::size_t> sizes;  // of the result's dimensions, the last one innermost
    std::vector<Operation> operations;
    std::uint32_t sources = 0;
};

// Lists the indices, for GatherStep.
class ListIndicesStep : public Step {
public:
    ListIndicesStep(GatherRule rule, CellsSlot indices) : rule_(std::move(rule)), indices_(indices) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "gather indices"; }
    Work work() const override;

private:
    GatherRule rule_;
    CellsSlot indices_;
};

class GatherStep : public Step {
public:
    static constexpr std::size_t most_sources = 16;
    // Of a rule: choices inside each other are looked at one after the other.
    static constexpr std::size_t most_operations = 256;

    // indices: one list, or one for each document.
    GatherStep(std::vector<BlockUse> sources, CellsSlot indices, std::size_t cell_bytes, Target target)
        : sources_(std::move(sources)), indices_(indices), cell_bytes_(cell_bytes), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    template <class Cell>
    void run_as(Frame &frame) const;

    std::vector<BlockUse> sources_;
    CellsSlot indices_;
    std::size_t cell_bytes_;
    Target target_;
};

}  // namespace tenrex::program
