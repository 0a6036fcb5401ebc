// The indices of cells that are taken from several values, if the documents split the indexes: they are listed piece by
// piece.
#include "lib/lower/gather_split.h"

#include <algorithm>
#include <array>

#include "lib/lower/context.h"
#include "lib/program/move/gather_split_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

SplitSum split_sum(Context &context, const ir::Node &node, const ir::Gather::Sum &sum) {
    SplitSum result;
    result.terms.reserve(sum.size());
    for (const ir::Gather::Term &term : sum) {
        result.terms.push_back({context.own_use(node.operands[term.operand], CellType::f64), term.is_subtracted});
    }
    return result;
}

}  // namespace

CellsSlot list_pieces(Context &context, const ir::Node &node) {
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
                operation.index = split_sum(context, node, part.sum);
            }
            operation.number = context.own_use(node.operands[part.operand], CellType::f64);
            continue;
        }
        const TensorType &source = context.type(node.operands[part.operand]);
        operation.source = part.operand;
        operation.stride = stride_of(source, along->name);
        for (const ir::Gather::Part &peeked : part.parts) {
            const std::size_t stride = stride_of(source, peeked.dimension);
            if (peeked.computed) {
                operation.kind = SplitRule::Kind::peek;
                operation.index = split_sum(context, node, *peeked.computed);
                operation.stride = stride;
                operation.size = source.dimensions()[*source.find(peeked.dimension)].size;
            } else {
                operation.base += peeked.index * stride;
            }
        }
    }
    const CellsSlot indices = context.new_planned(node.stage, ListSplitIndicesStep::bytes(rule));
    context.add_step<ListSplitIndicesStep>(node.stage, std::move(rule), indices);
    return indices;
}

}  // namespace tenrex::lower
