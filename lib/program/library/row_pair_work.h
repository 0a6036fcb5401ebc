// What explain() says of kernels over pairs of rows.
#pragma once

#include <string>

#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/program/work.h"

namespace tenrex::program {

// A multiplication and an addition for each pair of cells, or of a cell and a bit.
inline double flops_of(const kernels::RowPairChoice &choice, std::size_t length) {
    const kernels::RowPairOperation operation = choice.kernel->operation;
    const bool bits =
        operation == kernels::RowPairOperation::dot_bits_big || operation == kernels::RowPairOperation::dot_bits_little;
    return static_cast<double>(length) * (bits ? 16 : 2);
}

inline std::string reasons_of(const kernels::RowPairChoice &choice, std::size_t length, kernels::Isa isa) {
    const kernels::RowPairKernel &kernel = *choice.kernel;
    return list_candidates(kernels::row_pair_candidates(kernel.operation, kernel.a, kernel.b, length, isa));
}

}  // namespace tenrex::program
