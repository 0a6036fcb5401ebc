// The kernels that compute cell by cell as data: which exist for an operation and a cell type, and which to take.
//
//   const ElementwiseKernel *kernel =
//       choose_elementwise(operation_of(ScalarFunction::exp), CellType::f32, allowed_isa());
//   kernel->function({cells, nullptr, nullptr, cells, 768, 0});
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/kernels/elementwise/elementwise.h"
#include "lib/kernels/registry.h"
#include "lib/support/scalar_function.h"

namespace tenrex::kernels {

enum class ElementwiseOperation : std::uint8_t {
#define TENREX_ELEMENTWISE(operation, arity) operation,
#include "lib/kernels/elementwise/operations.def"
#undef TENREX_ELEMENTWISE
};

inline constexpr ElementwiseOperation all_elementwise_operations[] = {
#define TENREX_ELEMENTWISE(operation, arity) ElementwiseOperation::operation,
#include "lib/kernels/elementwise/operations.def"
#undef TENREX_ELEMENTWISE
};

constexpr ElementwiseOperation operation_of(ScalarFunction function) noexcept {
    return static_cast<ElementwiseOperation>(function);
}

std::string_view name(ElementwiseOperation operation) noexcept;
std::size_t arity(ElementwiseOperation operation) noexcept;

// How far a result may be from the exact one, in units of its last place; 0 if it is the correctly rounded one.
double ulp_bound(ElementwiseOperation operation, CellType type) noexcept;

struct ElementwiseKernel : Kernel<ElementwiseFunction> {
    ElementwiseOperation operation;
    CellType type;  // of all operands and the result: f32 or f64
};

std::span<const ElementwiseKernel> elementwise_kernels() noexcept;

// The cheapest kernel; there always is one. The length has no say: a long column may be computed in parts.
const ElementwiseKernel *choose_elementwise(ElementwiseOperation operation, CellType type, Isa isa) noexcept;

// The same with everything that was considered, the chosen one first.
std::vector<Candidate<ElementwiseKernel>> elementwise_candidates(ElementwiseOperation operation, CellType type,
                                                                 Isa isa);

}  // namespace tenrex::kernels
