// Cells that are taken from several values: the indices of all of them are listed, once if they are known before the
// documents are, and one step takes the cells.
#include <algorithm>
#include <array>

#include "lib/lower/gather_split.h"
#include "lib/lower/operations.h"
#include "lib/program/move/gather_steps.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

CellsSlot list_indices(Context &context, const ir::Node &node) {
    const ir::Gather &own = node.as<ir::Gather>();
    std::vector<std::string> names;
    GatherRule rule;
    rule.sources = static_cast<std::uint32_t>(own.source_count());
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_indexed()) {
            names.push_back(dimension.name);
            rule.sizes.push_back(dimension.size);
        }
    }
    const auto strides = [&](ir::NodeId operand) {
        GatherRule::Strides result;
        for (const std::string &name : names) {
            result.push_back(static_cast<std::ptrdiff_t>(stride_of(context.type(operand), name)));
        }
        return result;
    };
    Stage known = Stage::constant;
    const auto numbers = [&](std::uint32_t operand) {
        const ir::NodeId id = node.operands[operand];
        known = std::max(known, context.stage(id));
        return GatherRule::Numbers{context.in_order(id, CellType::f64).cells, strides(id)};
    };
    const std::vector<std::array<std::uint32_t, 2>> branches = own.branches();
    for (std::size_t i = 0; i < own.operations.size(); ++i) {
        const ir::Gather::Operation &part = own.operations[i];
        GatherRule::Operation &operation = rule.operations.emplace_back();
        if (part.chooses()) {
            operation.is_choice = true;
            operation.condition = numbers(part.operand);
            operation.when = branches[i];
            continue;
        }
        const TensorType &source = context.type(node.operands[part.operand]);
        operation.source = part.operand;
        operation.strides = strides(node.operands[part.operand]);
        for (const ir::Gather::Part &peeked : part.parts) {
            const std::size_t stride = stride_of(source, peeked.dimension);
            // The peek removes this dimension. Another operand may have one of the same name, which is another
            // dimension.
            if (const auto gone = std::find(names.begin(), names.end(), peeked.dimension); gone != names.end()) {
                operation.strides[static_cast<std::size_t>(gone - names.begin())] = 0;
            }
            if (peeked.computed) {
                const Dimension &dimension = source.dimensions()[*source.find(peeked.dimension)];
                operation.indexes.push_back({numbers(peeked.computed->front().operand), stride, dimension.size});
            } else {
                operation.base += peeked.index * stride;
            }
        }
    }
    const CellsSlot indices = context.new_cells(known);
    context.add_step<ListIndicesStep>(known, std::move(rule), indices);
    return indices;
}

}  // namespace

Value lower_gather(Context &context, const ir::Node &node) {
    const ir::Gather &own = node.as<ir::Gather>();
    const std::span<const ir::NodeId> operands = node.operands.first(own.source_count());
    const bool alike = std::all_of(operands.begin(), operands.end(), [&](ir::NodeId source) {
        return context.value(source).cell_type == context.value(operands[0]).cell_type;
    });
    const CellType wanted = node.type->cell_type();
    const CellType cell_type = alike ? context.value(operands[0]).cell_type : wanted;
    const Joined joined = context.addresses().join(operands, node.stage);
    std::vector<BlockUse> sources;
    sources.reserve(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
        sources.push_back(context.use(operands[i], cell_type, joined.operands[i]));
    }
    const CellsSlot indices = own.is_split ? list_pieces(context, node) : list_indices(context, node);
    context.note_use(indices);
    const Target to = context.target(node.stage, joined.index, *node.type, cell_type);
    context.add_step<GatherStep>(node.stage, std::move(sources), indices, byte_size(cell_type), to);
    return context.converted(context.written(to, cell_type), *node.type, wanted);
}

}  // namespace tenrex::lower
