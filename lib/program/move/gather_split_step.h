// Lists gather indices for generators whose sources follow each other, as the tokens of a title follow those of a
// query. Each document decides at which index one source ends and the next one begins.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/support/scalar_function.h"

namespace tenrex::program {

// The index of a cell, to which numbers are added one after the other, in double.
struct SplitSum {
    struct Term {
        BlockUse number;
        bool is_subtracted = false;
    };
    static constexpr std::size_t most_terms = 8;
    std::vector<Term> terms;
};

// Which cell of which source each cell of the result is, as operations that are looked at from the first one on.
struct SplitRule {
    enum class Kind : std::uint8_t {
        choice,      // by a number
        comparison,  // by an index, compared with a number
        cells,       // those of a source at the same indexes
        peek,        // those of a source at another index
    };
    struct Operation {
        Kind kind = Kind::cells;
        std::array<std::uint32_t, 2> when{};  // of a choice: operations, where it is false and where it holds
        BlockUse number;                      // that decides, or that the index is compared with
        ScalarFunction comparison = ScalarFunction::less;
        SplitSum index;
        std::uint32_t source = 0;
        std::size_t base = 0;    // cells from the start of the source's block
        std::size_t stride = 0;  // cells of the source from one index to the next
        std::size_t size = 0;    // of the dimension that is peeked
    };
    std::size_t cells = 0;  // of the result
    std::vector<Operation> operations;
    std::uint32_t sources = 0;
};

class ListSplitIndicesStep : public Step {
public:
    ListSplitIndicesStep(SplitRule rule, CellsSlot indices) : rule_(std::move(rule)), indices_(indices) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "gather indices of runs"; }
    Work work() const override;

    // Of the list for one document.
    static std::size_t bytes(const SplitRule &rule) noexcept;

private:
    class Document;

    SplitRule rule_;
    CellsSlot indices_;
};

}  // namespace tenrex::program
