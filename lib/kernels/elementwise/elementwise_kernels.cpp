#include "lib/kernels/elementwise/elementwise_kernels.h"

#include <iterator>

#include "lib/support/function_facts.h"

#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    ElementwiseFunction function;                                           \
    }
#include "lib/kernels/elementwise/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

constexpr ElementwiseKernel kernels[] = {
#define TENREX_KERNEL(operation, type, target, function, per_row, per_cell)  \
    {{#function, Target::target, Cost{per_row, per_cell}, target::function}, \
     ElementwiseOperation::operation,                                        \
     CellType::type},
#include "lib/kernels/elementwise/kernels.def"
#undef TENREX_KERNEL
};

struct Facts {
    std::string_view name;
    std::size_t arity;
};

constexpr Facts facts[] = {
#define TENREX_ELEMENTWISE(operation, arity) {#operation, arity},
#include "lib/kernels/elementwise/operations.def"
#undef TENREX_ELEMENTWISE
};

struct Matches {
    ElementwiseOperation operation;
    CellType type;

    bool operator()(const ElementwiseKernel &kernel) const noexcept {
        return kernel.operation == operation && kernel.type == type;
    }
};

constexpr std::size_t usual_length = 256;

}  // namespace

std::string_view name(ElementwiseOperation operation) noexcept {
    return facts[static_cast<std::size_t>(operation)].name;
}

std::size_t arity(ElementwiseOperation operation) noexcept {
    return facts[static_cast<std::size_t>(operation)].arity;
}

double ulp_bound(ElementwiseOperation operation, CellType type) noexcept {
    const auto number = static_cast<std::size_t>(operation);
    if (number >= std::size(function_facts_table)) {
        return 0;  // no function: a choice, a copy
    }
    const FunctionFacts &function = function_facts_table[number];
    return type == CellType::f64 ? function.double_units : function.float_units;
}

std::span<const ElementwiseKernel> elementwise_kernels() noexcept {
    return kernels;
}

const ElementwiseKernel *choose_elementwise(ElementwiseOperation operation, CellType type, Isa isa) noexcept {
    return cheapest(elementwise_kernels(), Matches{operation, type}, usual_length, isa);
}

std::vector<Candidate<ElementwiseKernel>> elementwise_candidates(ElementwiseOperation operation, CellType type,
                                                                 Isa isa) {
    return candidates(elementwise_kernels(), Matches{operation, type}, usual_length, isa);
}

}  // namespace tenrex::kernels
