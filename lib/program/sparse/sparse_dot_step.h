// Steps that sum products over the blocks that two sparse values share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// For each document the sum, over the blocks that both operands have, of the dot products of these blocks.
class SparseDotStep : public Step {
public:
    struct Side {
        IndexSlot index;
        CellsSlot cells;
        std::size_t bytes = 0;  // of a block
    };
    // Both sides have the same `width` dimensions. inner_table: of all labels of `inner`, if the documents share it.
    // weights: of its labels, if moreover it has one dimension and one cell per block. Target: one double per document.
    SparseDotStep(Side outer, Side inner, TableSlot inner_table, WeightsSlot weights, std::size_t width,
                  std::size_t length, kernels::RowPairChoice choice, CellsSlot target);
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*choice_.kernel); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_; }
    Work work() const override;

private:
    // Looks for few shared labels in a large document whose labels ascend.
    template <class Cell>
    double search(const Index &outer, std::size_t document, const std::byte *outer_cells, const Index &inner,
                  const std::byte *inner_cells) const noexcept;
    double dot(const std::byte *outer, const std::byte *inner) const noexcept;

    Side outer_, inner_;
    TableSlot inner_table_;
    WeightsSlot weights_;
    std::vector<std::uint16_t> key_;
    std::size_t length_;
    kernels::RowPairChoice choice_;
    CellsSlot target_;
};

// The weights of the labels of a shared value with one mapped dimension and one cell, f32 or f64, per block.
class BuildWeightsStep : public Step {
public:
    BuildWeightsStep(IndexSlot index, CellsSlot cells, CellType cell_type, WeightsSlot result)
        : index_(index), cells_(cells), cell_type_(cell_type), result_(result) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "table of weights"; }
    Work work() const override {
        return {0, static_cast<double>(sizeof(Label) + byte_size(cell_type_)), sizeof(Label) + sizeof(double), true};
    }

private:
    IndexSlot index_;
    CellsSlot cells_;
    CellType cell_type_;
    WeightsSlot result_;
};

}  // namespace tenrex::program
