#include <optional>
#include <utility>

#include "lib/plan/chain.h"

namespace tenrex::plan {

namespace {

using kernels::ElementwiseOperation;
using kernels::TileComparison;

// A comparison in terms of those that there are: of which operands, and whether it chooses the other way round. NaN is
// neither less than, greater than nor equal to anything, so only `not equal` may be turned round.
struct Comparison {
    TileComparison kind;
    bool swap_operands = false;
    bool swap_results = false;
};

std::optional<Comparison> comparison_of(ElementwiseOperation operation) {
    switch (operation) {
        case ElementwiseOperation::less:
            return Comparison{TileComparison::less};
        case ElementwiseOperation::greater:
            return Comparison{TileComparison::less, true};
        case ElementwiseOperation::less_equal:
            return Comparison{TileComparison::less_equal};
        case ElementwiseOperation::greater_equal:
            return Comparison{TileComparison::less_equal, true};
        case ElementwiseOperation::equal:
            return Comparison{TileComparison::equal};
        case ElementwiseOperation::not_equal:
            return Comparison{TileComparison::equal, false, true};
        default:
            return std::nullopt;
    }
}

constexpr std::uint32_t no_operation = ~std::uint32_t{0};

}  // namespace

void merge_choices(Chain &chain) {
    const auto is_choice = [&](const ChainOperation &operation) {
        return operation.kind == ChainOperationKind::elementwise &&
               operation.elementwise == ElementwiseOperation::select;
    };
    // The comparisons that make a value, unless something else reads it than choices in its own cell type.
    std::vector<std::uint32_t> compared(chain.values.size(), no_operation);
    for (std::uint32_t i = 0; i < chain.operations.size(); ++i) {
        const ChainOperation &operation = chain.operations[i];
        for (std::size_t k = 0; k < operation.operands.size(); ++k) {
            const std::uint32_t operand = operation.operands[k];
            if (!is_choice(operation) || k != 2 || chain.values[operand].type != chain.type_of(operation)) {
                compared[operand] = no_operation;
            }
        }
        const bool compares =
            operation.kind == ChainOperationKind::elementwise && comparison_of(operation.elementwise).has_value();
        compared[operation.result] = compares && !chain.values[operation.result].to ? i : no_operation;
    }
    std::vector<bool> merged(chain.operations.size(), false);
    for (ChainOperation &operation : chain.operations) {
        const std::uint32_t maker = is_choice(operation) ? compared[operation.operands[2]] : no_operation;
        if (maker == no_operation) {
            continue;
        }
        const ChainOperation &comparing = chain.operations[maker];
        const Comparison comparison = *comparison_of(comparing.elementwise);
        std::vector<std::uint32_t> operands = {operation.operands[0], operation.operands[1], comparing.operands[0],
                                               comparing.operands[1]};
        if (comparison.swap_results) {
            std::swap(operands[0], operands[1]);
        }
        if (comparison.swap_operands) {
            std::swap(operands[2], operands[3]);
        }
        operation.kind = ChainOperationKind::choice;
        operation.comparison = comparison.kind;
        operation.operands = std::move(operands);
        merged[maker] = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < chain.operations.size(); ++i) {
        if (!merged[i]) {
            std::swap(chain.operations[kept++], chain.operations[i]);
        }
    }
    chain.operations.resize(kept);
}

}  // namespace tenrex::plan
