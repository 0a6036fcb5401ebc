// Steps that change which blocks there are.
#pragma once

#include <vector>

#include "lib/program/blocks.h"
#include "lib/program/layout.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// The blocks of the operand, and zeros for the addresses that only `wanted` has.
class FillStep : public Step {
public:
    // positions: of the operand's labels in the addresses of `wanted`.
    FillStep(IndexedCells operand, IndexSlot wanted, std::size_t wanted_width, std::vector<std::uint16_t> positions,
             Target target);
    void run(Frame &frame) const override;
    std::string describe() const override { return "zeros for missing blocks"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    IndexedCells operand_;
    IndexSlot wanted_;
    std::size_t wanted_width_;
    std::vector<std::uint16_t> positions_;
    std::vector<std::uint16_t> key_;
    Target target_;
};

// The addresses of `index` for which a number is not zero.
class FilterIndexStep : public Step {
public:
    // keep: a scalar of type f64 per block of the index.
    FilterIndexStep(IndexSlot index, std::size_t width, BlockUse keep, IndexSlot result, MapSlot map)
        : index_(index), width_(width), keep_(keep), result_(result), map_(map) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "filter of blocks"; }
    Work work() const override { return addressing(width_ + 1, width_); }

private:
    IndexSlot index_;
    std::size_t width_;
    BlockUse keep_;
    IndexSlot result_;
    MapSlot map_;
};

// Indexed dimensions become mapped: one block for each combination of their indexes.
class ToMappedStep : public Step {
public:
    // A label of the result: of the operand's address, or an index that counts up to `size`, `stride` cells apart.
    struct ResultLabel {
        std::uint16_t position = 0;
        std::size_t size = 0;  // 0: of the address
        std::size_t stride = 0;
    };
    ToMappedStep(BlockUse operand, IndexSlot operand_index, std::size_t operand_width, std::vector<ResultLabel> labels,
                 CopyNest nest, std::size_t cell_bytes, Target target)
        : operand_(operand),
          operand_index_(operand_index),
          operand_width_(operand_width),
          labels_(std::move(labels)),
          nest_(std::move(nest)),
          cell_bytes_(cell_bytes),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "indexes to labels"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    BlockUse operand_;  // dense, or same
    IndexSlot operand_index_;
    std::size_t operand_width_;
    std::vector<ResultLabel> labels_;
    CopyNest nest_;
    std::size_t cell_bytes_;
    Target target_;
};

// Mapped dimensions whose labels are numbers become indexed; what is missing is 0.
class ToIndexedStep : public Step {
public:
    // A label that becomes an index: its position, and how many cells of the result apart.
    struct Becomes {
        std::uint16_t position = 0;
        std::size_t stride = 0;
    };
    // groups: the block of the target for each block of the operand; none if the target is dense.
    ToIndexedStep(IndexedCells operand, std::size_t operand_width, std::size_t operand_bytes, MapSlot groups,
                  std::vector<Becomes> labels, CopyNest nest, std::size_t cell_bytes, Target target)
        : operand_(operand),
          operand_width_(operand_width),
          operand_bytes_(operand_bytes),
          groups_(groups),
          labels_(std::move(labels)),
          nest_(std::move(nest)),
          cell_bytes_(cell_bytes),
          target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "labels to indexes"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    IndexedCells operand_;
    std::size_t operand_width_;
    std::size_t operand_bytes_;
    MapSlot groups_;
    std::vector<Becomes> labels_;
    CopyNest nest_;
    std::size_t cell_bytes_;
    Target target_;
};

// One of two values for each document, by a number.
class BranchStep : public Step {
public:
    BranchStep(CellsSlot condition, IndexedCells when_true, IndexedCells when_false, std::size_t width, Target target)
        : condition_(condition), when_true_(when_true), when_false_(when_false), width_(width), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "one of two values"; }
    CellsSlot result() const override { return target_.cells; }
    Work work() const override { return copying(target_); }

private:
    CellsSlot condition_;  // a scalar
    IndexedCells when_true_, when_false_;
    std::size_t width_;
    Target target_;
};

}  // namespace tenrex::program
