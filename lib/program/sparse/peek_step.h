// Steps that look cells up by labels and indexes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/sparse/peek_by_index_step.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// Removes dimensions of a tensor by choosing a label or index of each, which may differ from cell to cell of the
// result. What is not found is 0, or a missing block if the result is sparse.
class PeekStep : public Step {
public:
    // Numbers that labels or indexes are computed from: on the index `chooser`.
    struct Chooser : IndexChooser {  // stride 0: of a mapped dimension
        std::size_t key = 0;         // of a mapped dimension: where in the key the label belongs
    };
    // A label of the key: where it comes from if it is not computed.
    struct KeyLabel {
        bool from_chooser_index = false;
        std::uint16_t position = 0;  // in the chooser's address
        Label label{};               // a known one
    };
    struct ResultLabel {
        bool from_operand = false;
        std::uint16_t position = 0;
    };
    struct Shape {
        CellsSlot operand;
        IndexSlot operand_index;  // none: dense
        std::size_t operand_width = 0;
        std::size_t operand_bytes = 0;  // of a block
        std::size_t cell_bytes = 1;
        std::size_t base = 0;     // cells to the known indexes
        IndexSlot chooser_index;  // none: one choice of labels per document
        std::size_t chooser_width = 0;
        std::vector<Chooser> choosers;
        std::vector<std::uint16_t> key;  // positions in the operand's address
        std::vector<KeyLabel> key_labels;
        TableSlot table;  // of the operand's blocks by that key, if the documents share the operand
        // Over the indexed dimensions of the choosers: array 0 the result, 1 the operand, then one for each chooser.
        LoopNest<any_number> nest;
        CopyNest rest;  // the other indexed dimensions
        std::vector<ResultLabel> labels;
        Target target;
    };
    explicit PeekStep(Shape shape);
    void run(Frame &frame) const override;
    std::string describe() const override;
    CellsSlot result() const override { return shape_.target.cells; }
    Work work() const override { return copying(shape_.target); }

private:
    class Run;

    // The cells of the choosers, in memory of the frame that stays until the step has run.
    const Blocks *choosers_in(Frame &frame) const;
    // Zeros for the arrays of the nest, there as well.
    std::ptrdiff_t *offsets_in(Frame &frame) const;

    // The whole number that a computed label or index is, if there is one.
    static std::optional<std::int64_t> truncated(double number) noexcept {
        constexpr double end = 9223372036854775808.0;
        return number >= -end && number < end ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
    }

    // Whether a number or a block is copied from where one label is, or 0 if there is none (peek_one_label.cpp).
    bool is_one_label() const noexcept;
    void run_one_label(Frame &frame) const;
    template <class Wanted>
    void copy_one_label(Frame &frame, const Wanted &wanted) const;

    Shape shape_;
    std::vector<std::uint16_t> key_positions_;     // 0, 1, ... as many as the key has labels
    std::vector<std::uint16_t> target_positions_;  // likewise for the labels of the result
    bool may_repeat_;                              // several choices may lead to one block of the result
    bool one_label_;
};

}  // namespace tenrex::program
