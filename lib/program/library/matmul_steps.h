// Steps that multiply matrices.
#pragma once

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/matmul/matmul_kernels.h"
#include "lib/program/blocks.h"
#include "lib/program/library/row_groups.h"
#include "lib/program/matrix_shape.h"
#include "lib/program/step.h"
#include "lib/program/work.h"

namespace tenrex::program {

// How many columns an index is taken to have.
inline constexpr std::size_t expected_blocks = 32;

// Float cells that the sums are scaled with, one for each row or column; none: they are not.
struct ScalingCells {
    CellsSlot row_scale, column_scale, row_offset, column_offset;
};

// What the steps below multiply.
struct MatmulShape {
    // The rows: `rows` of each block of `a` in each batch, their k cells side by side, blocks without gaps.
    CellsSlot a;
    IndexSlot a_index;  // none: a is dense
    CellType a_type = CellType::f32;
    const kernels::ConversionKernel *convert = nullptr;  // of a's cells to the kernel's type, if they have another
    std::size_t a_row_cells = 0;                         // stored cells of a row; k but for unpacked bits
    std::size_t rows = 1;
    // The columns.
    MatrixShape b;
    CellsSlot packed;    // if b is packed before
    CellsSlot unpacked;  // else: packed anew for each document, or read as it is
    bool in_place = false;
    IndexSlot b_columns;  // the blocks of this index are the columns; none: b.n columns
    CellsSlot bias;       // b.n cells of the result's type that all documents share, added to each row; none: zeros
    kernels::MatmulActivation activation = kernels::MatmulActivation::none;
    ScalingCells scaling;
    kernels::MatmulCells cells = CellType::f32;  // what the kernel was chosen for
    const kernels::MatmulKernel *kernel = nullptr;

    // For choosing a kernel: how many blocks an index has is known only when it comes.
    std::size_t expected_columns() const { return b_columns ? expected_blocks : b.n; }
};

// The product of every row with every column: for each block of a, `batch` matrices of `rows` rows.
class MatmulStep : public Step {
public:
    // Target: f32 or f64 as the kernel, on a's index; or, if the columns have
    // an index, one cell for each pair of a block of a and a column, on an index of those pairs.
    MatmulStep(MatmulShape shape, Target target);
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*shape_.kernel); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;
    double left_out(const Store &constants) const override;

private:
    // first_row: the number of the first row among those of the document, or among all of an index.
    void run_document(Frame &frame, std::size_t document, const std::byte *rows, std::size_t blocks,
                      std::size_t first_row, std::byte *target) const;
    MatmulShape shape_;
    Target target_;
    bool has_plain_rows_;  // one of each document, which its kernel reads as it is, and packed columns
};

// For each column the largest or smallest of its products with all rows of the document, or with those of each group:
// MaxSim without the products. Targets of a document without rows are 0 if the target has no index, and missing
// otherwise.
class MatmulExtremeStep : public Step {
public:
    // The target has the columns, for one group after the other.
    MatmulExtremeStep(MatmulShape shape, kernels::MatmulReduction reduction, RowGroups groups, Target target)
        : shape_(shape), reduction_(reduction), groups_(groups), target_(target) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*shape_.kernel); }
    std::string reasons(kernels::Isa isa) const override;
    CellsSlot result() const override { return target_.cells; }
    Work work() const override;

private:
    MatmulShape shape_;
    kernels::MatmulReduction reduction_;
    RowGroups groups_;
    Target target_;
};

// The addresses of a shared index for each document that has a block in another index.
class ReplicateWhereStep : public Step {
public:
    // where: none for all documents.
    ReplicateWhereStep(IndexSlot shared, std::size_t width, IndexSlot where, IndexSlot result, MapSlot map)
        : shared_(shared), width_(width), where_(where), result_(result), map_(map) {}
    void run(Frame &frame) const override;
    std::string describe() const override { return "addresses for documents with blocks"; }
    Work work() const override { return addressing(width_, width_); }

private:
    IndexSlot shared_;
    std::size_t width_;
    IndexSlot where_;
    IndexSlot result_;
    MapSlot map_;
};

}  // namespace tenrex::program
