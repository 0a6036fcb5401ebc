// The kernels that normalize rows as data: which exist for an operation and a cell type, and which to take.
//
//   const NormalizeKernel *kernel = choose_normalize(NormalizeOperation::softmax, CellType::f32, 128, allowed_isa());
//   kernel->function({cells, 512, out, rows, 128});
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/normalize/normalize.h"
#include "lib/kernels/registry.h"

namespace tenrex::kernels {

enum class NormalizeOperation : std::uint8_t {
    softmax,         // exp(x) / sum(exp(x))
    stable_softmax,  // the same of x - max(x)
    by_length,       // x / (sqrt(sum(x*x) / divisor + epsilon) + root_epsilon)
    standardize,     // the same of x - avg(x)
};

std::string_view name(NormalizeOperation operation) noexcept;

struct NormalizeKernel : Kernel<RowNormalizationFunction> {
    NormalizeOperation operation;
    CellType type;  // f32 or f64
};

std::span<const NormalizeKernel> normalize_kernels() noexcept;

// The cheapest kernel for rows of `length` cells; there always is one.
const NormalizeKernel *choose_normalize(NormalizeOperation operation, CellType type, std::size_t length,
                                        Isa isa) noexcept;

// The same with everything that was considered, the chosen one first.
std::vector<Candidate<NormalizeKernel>> normalize_candidates(NormalizeOperation operation, CellType type,
                                                             std::size_t length, Isa isa);

}  // namespace tenrex::kernels
