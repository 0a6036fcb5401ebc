// What kernels that compute cell by cell take: arithmetic, comparisons, functions, choices between two operands.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenrex::kernels {

// out[i] = f(a[i], b[i], c[i]) for `length` cells; operations of fewer arguments leave the others unread. All operands
// and the result have the same cell type. `out` may be a, b or c exactly and must not overlap them otherwise; nothing
// needs to be aligned.
struct Elementwise {
    const void *a = nullptr;
    const void *b = nullptr;
    const void *c = nullptr;
    void *out = nullptr;
    std::size_t length = 0;
    std::uint32_t fixed = 0;  // bit 0, 1, 2: operand a, b, c is one cell for all
};

using ElementwiseFunction = void(const Elementwise &) noexcept;

}  // namespace tenrex::kernels
