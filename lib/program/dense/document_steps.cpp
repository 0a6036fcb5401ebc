#include "lib/program/dense/document_steps.h"

#include <cstring>

#include "lib/support/format.h"

namespace tenrex::program {

void ReduceDocumentsStep::run(Frame &frame) const {
    const Index &index = frame.index(operand_.index);
    const std::byte *const cells = kernel_ != nullptr ? frame.cells(operand_.cells).data : nullptr;
    const std::size_t block_bytes = kernel_ != nullptr ? length_ * byte_size(kernel_->type) : 0;
    auto *const numbers = reinterpret_cast<double *>(frame.cells(target_).data);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t begin = index.begin(document);
        const std::size_t count = (index.end(document) - begin) * length_;
        if (kernel_ == nullptr || count == 0) {
            numbers[document] = static_cast<double>(count);
            continue;
        }
        kernel_->function({cells + begin * block_bytes, 0, 1, count, &numbers[document]});
        if (aggregator_ == Aggregator::avg) {
            numbers[document] /= static_cast<double>(count);
        }
    }
}

std::string ReduceDocumentsStep::describe() const {
    return fmt::format("{} of all blocks of {} cells", info(aggregator_).name, length_);
}

std::string ReduceDocumentsStep::reasons(kernels::Isa isa) const {
    return kernel_ == nullptr ? ""
                              : list_candidates(kernels::reduce_candidates(kernel_->operation, kernel_->type,
                                                                           typical_blocks * length_, isa));
}

Work ReduceDocumentsStep::work() const {
    const auto cells = static_cast<double>(length_);
    return kernel_ == nullptr
               ? Work()
               : Work{cells, cells * static_cast<double>(byte_size(kernel_->type)), sizeof(double), true};
}

void DotDocumentsStep::run(Frame &frame) const {
    const Index &index = frame.index(index_);
    const std::byte *const a = frame.cells(a_).data;
    const std::byte *const b = frame.cells(b_).data;
    const kernels::RowPairKernel &kernel = *choice_.kernel;
    const std::size_t a_bytes = length_ * byte_size(choice_.swapped ? kernel.b : kernel.a);
    const std::size_t b_bytes = length_ * byte_size(choice_.swapped ? kernel.a : kernel.b);
    auto *const numbers = reinterpret_cast<double *>(frame.cells(target_).data);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::uint32_t begin = index.begin(document);
        const std::size_t count = (index.end(document) - begin) * length_;
        if (count == 0) {
            numbers[document] = 0;
            continue;
        }
        float single = 0;
        void *const out = kernel.out == CellType::f32 ? static_cast<void *>(&single) : &numbers[document];
        choice_.run({a + begin * a_bytes, 0, b + begin * b_bytes, 0, 1, count, out});
        numbers[document] = kernel.out == CellType::f32 ? static_cast<double>(single) : numbers[document];
    }
}

std::string DotDocumentsStep::describe() const {
    return fmt::format("dot product of all blocks of {} cells", length_);
}

std::string DotDocumentsStep::reasons(kernels::Isa isa) const {
    const kernels::RowPairKernel &kernel = *choice_.kernel;
    return list_candidates(
        kernels::row_pair_candidates(kernel.operation, kernel.a, kernel.b, typical_blocks * length_, isa));
}

Work DotDocumentsStep::work() const {
    const auto cells = static_cast<double>(length_);
    const std::size_t bytes = byte_size(choice_.kernel->a) + byte_size(choice_.kernel->b);
    return {2 * cells, cells * static_cast<double>(bytes), sizeof(double), true};
}

}  // namespace tenrex::program
