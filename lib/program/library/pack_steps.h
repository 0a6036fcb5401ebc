// Steps that bring matrices in the order in which a kernel reads them.
#pragma once

#include <memory>
#include <utility>

#include <tenrex/tensor.h>
#include <tenrex/weight_store.h>

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/matmul/matmul_kernels.h"
#include "lib/program/matrix_shape.h"
#include "lib/program/step.h"

namespace tenrex::program {

// Packs all matrices of one document, each with n columns.
void pack_matrices(const kernels::MatmulKernel &kernel, const MatrixShape &shape, std::size_t n,
                   const std::byte *matrix, std::byte *packed);

// If the operand has an index, its blocks are the columns of one matrix, each with k cells side by side.
class PackMatrixStep : public Step {
public:
    // has_maps: of blocks of zeros; without an index.
    PackMatrixStep(CellsSlot matrix, IndexSlot index, MatrixShape shape, const kernels::MatmulKernel *kernel,
                   CellsSlot packed, bool has_maps)
        : matrix_(matrix), index_(index), shape_(shape), kernel_(kernel), packed_(packed), has_maps_(has_maps) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*kernel_); }
    CellsSlot result() const override { return packed_; }
    Work work() const override;

private:
    CellsSlot matrix_;
    IndexSlot index_;
    MatrixShape shape_;
    const kernels::MatmulKernel *kernel_;
    CellsSlot packed_;
    bool has_maps_;
};

// Constant matrices that nothing else reads, and maps of their blocks of zeros: plans that are given the same store
// share the packed ones. Without a store they are the plan's own.
class PackWeightsStep : public Step {
public:
    // convert: makes cells that the kernel reads of those of the weights; null: they are such.
    PackWeightsStep(std::shared_ptr<const Tensor> weights, const kernels::ConversionKernel *convert, MatrixShape shape,
                    const kernels::MatmulKernel *kernel, CellsSlot packed, std::shared_ptr<WeightStore> store)
        : weights_(std::move(weights)),
          convert_(convert),
          shape_(shape),
          kernel_(kernel),
          packed_(packed),
          store_(std::move(store)) {}
    void run(Frame &frame) const override;
    std::string describe() const override;
    std::string kernel() const override { return full_name(*kernel_); }
    CellsSlot result() const override { return packed_; }
    Work work() const override;

private:
    const std::byte *cells_for_kernel(Frame &frame, const std::byte *cells) const;

    std::shared_ptr<const Tensor> weights_;
    const kernels::ConversionKernel *convert_;
    MatrixShape shape_;
    const kernels::MatmulKernel *kernel_;
    CellsSlot packed_;
    std::shared_ptr<WeightStore> store_;
};

}  // namespace tenrex::program
