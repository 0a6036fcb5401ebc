// The indices of cells that are taken from several values, if the documents split the indexes: they are listed piece by
// piece.
#include <algorithm>

#include "lib/plan/gather_steps.h"
#include "lib/plan/lowering.h"

namespace tenrex::plan {

static_assert(ir::Gather::most_operations == GatherStep::most_operations);
static_assert(ir::Gather::most_terms == SplitSum::most_terms);

SplitSum Lowering::split_sum(const ir::Node &node, const ir::Gather::Sum &sum) {
    SplitSum result;
    result.terms.reserve(sum.size());
    for (const ir::Gather::Term &term : sum) {
        result.terms.push_back({own_use(node.operands[term.operand], CellType::f64), term.is_subtracted});
    }
    return result;
}

CellsSlot Lowering::list_pieces(const ir::Node &node) {
    const ir::Gather &own = node.as<ir::Gather>();
    SplitRule rule;
    rule.cells = node.type->block_cells();
    rule.sources = static_cast<std::uint32_t>(own.source_count());
    const std::vector<Dimension> &dimensions = node.type->dimensions();
    const auto along = std::find_if(dimensions.begin(), dimensions.end(),
                                    [](const Dimension &dimension) { return dimension.size > 1; });
    const std::vector<std::array<std::uint32_t, 2>> branches = own.branches();
    for (std::size_t i = 0; i < own.operations.size(); ++i) {
        const ir::Gather::Operation &part = own.operations[i];
        SplitRule::Operation &operation = rule.operations.emplace_back();
        if (part.chooses()) {
            operation.when = branches[i];
            operation.kind = SplitRule::Kind::choice;
            if (part.kind == ir::Gather::Kind::comparison) {
                operation.kind = SplitRule::Kind::comparison;
                operation.comparison = part.function;
                operation.index = split_sum(node, part.sum);
            }
            operation.number = own_use(node.operands[part.operand], CellType::f64);
            continue;
        }
        const TensorType &source = type(node.operands[part.operand]);
        operation.source = part.operand;
        operation.stride = stride_of(source, along->name);
        for (const ir::Gather::Part &peeked : part.parts) {
            const std::size_t stride = stride_of(source, peeked.dimension);
            if (peeked.computed) {
                operation.kind = SplitRule::Kind::peek;
                operation.index = split_sum(node, *peeked.computed);
                operation.stride = stride;
                operation.size = source.dimensions()[*source.find(peeked.dimension)].size;
            } else {
                operation.base += peeked.index * stride;
            }
        }
    }
    const CellsSlot indices = new_planned(node.stage, ListPiecesStep::bytes(rule));
    add_step<ListPiecesStep>(node.stage, std::move(rule), indices);
    return indices;
}

}  // namespace tenrex::plan
