// Dimensions that go, as a label or index of each is chosen.
#include <algorithm>

#include "lib/lower/block_part.h"
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/sparse/peek_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value lower_peek(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const TensorType &from = context.type(operand);
    const std::vector<ir::PeekPart> &parts = node.as<ir::Peek>().parts;
    const bool only_known_indexes = std::all_of(parts.begin(), parts.end(), [&](const ir::PeekPart &part) {
        return part.computed == 0 && from.dimensions()[*from.find(part.dimension)].is_indexed();
    });
    std::size_t base = 0;
    for (const ir::PeekPart &part : parts) {
        base += part.computed == 0 ? part.index * stride_of(from, part.dimension) : 0;
    }
    const CellType cell_type = node.type->is_scalar() ? CellType::f64 : node.type->cell_type();
    if (only_known_indexes) {
        CopyNest nest(byte_size(context.value(operand).cell_type), context.isa());
        for (const Dimension &dimension : node.type->dimensions()) {
            if (dimension.is_indexed()) {
                nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                         static_cast<std::ptrdiff_t>(stride_of(from, dimension.name)));
            }
        }
        return part_of_block(context, operand, context.value(operand).index, node, std::move(nest), base);
    }

    const CellType own_type = context.value(operand).cell_type;
    const std::span<const ir::NodeId> choosers = node.operands.subspan(1);
    const Joined joined = context.addresses().join(choosers, node.stage);
    const IndexedCells cells = context.in_order(operand, own_type);
    PeekStep::Shape shape;
    shape.operand = cells.cells;
    shape.operand_index = cells.index;
    shape.operand_width = from.mapped_count();
    shape.operand_bytes = from.block_cells() * byte_size(own_type);
    shape.cell_bytes = byte_size(own_type);
    shape.base = base;
    shape.chooser_index = joined.index;

    // The labels that a block of the operand must have: those of the parts, and those of dimensions that the choosers
    // share with it.
    std::vector<std::string> chooser_names;
    for (ir::NodeId chooser : choosers) {
        for (const std::string &name : mapped_names(context.type(chooser))) {
            chooser_names.push_back(name);
        }
    }
    std::sort(chooser_names.begin(), chooser_names.end());
    chooser_names.erase(std::unique(chooser_names.begin(), chooser_names.end()), chooser_names.end());
    shape.chooser_width = chooser_names.size();
    const auto chooser_position = [&](const std::string &name) {
        return static_cast<std::uint16_t>(std::find(chooser_names.begin(), chooser_names.end(), name) -
                                          chooser_names.begin());
    };
    for (const ir::PeekPart &part : parts) {
        const Dimension &dimension = from.dimensions()[*from.find(part.dimension)];
        if (part.computed != 0) {
            PeekStep::Chooser &chooser = shape.choosers.emplace_back();
            chooser.cells =
                context.use(node.operands[part.computed], CellType::f64, joined.operands[part.computed - 1]);
            chooser.stride = stride_of(from, part.dimension);
            chooser.size = dimension.size;
            chooser.key = shape.key.size();
        }
        if (dimension.is_mapped()) {
            shape.key.push_back(label_position(from, part.dimension));
            shape.key_labels.push_back(
                {false, 0, part.computed == 0 ? context.plan().own_labels.hold(part.label) : LabelTexts::nowhere});
        }
    }
    for (const std::string &name : mapped_names(from)) {
        const bool removed = !node.type->find(name);
        if (!removed && std::binary_search(chooser_names.begin(), chooser_names.end(), name)) {
            shape.key.push_back(label_position(from, name));
            shape.key_labels.push_back({true, chooser_position(name), {}});
        }
    }
    for (const std::string &name : mapped_names(*node.type)) {
        const bool from_operand = from.find(name).has_value();
        shape.labels.push_back({from_operand, from_operand ? label_position(from, name) : chooser_position(name)});
    }

    shape.nest = LoopNest<any_number>(2 + shape.choosers.size());
    shape.rest = CopyNest(byte_size(own_type), context.isa());
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_mapped()) {
            continue;
        }
        PerArray<any_number> strides = {static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                                        static_cast<std::ptrdiff_t>(stride_of(from, dimension.name))};
        bool chosen = false;
        for (const ir::PeekPart &part : parts) {
            if (part.computed != 0) {
                const TensorType &chooser = context.type(node.operands[part.computed]);
                chosen |= chooser.find(dimension.name).has_value();
                strides.push_back(static_cast<std::ptrdiff_t>(stride_of(chooser, dimension.name)));
            }
        }
        if (chosen) {
            shape.nest.add(dimension.size, std::move(strides));
        } else {
            shape.rest.add(dimension.size, strides[0], strides[1]);
        }
    }
    if (cells.index && cells.index.stage != Stage::document) {
        shape.table = context.addresses().table_of(cells.index, from.mapped_count(), shape.key);
    }
    shape.target = context.target(node.stage, node.type->has_mapped() ? context.new_index(node.stage) : IndexSlot(),
                                  *node.type, own_type);
    const Target to = shape.target;
    context.add_step<PeekStep>(node.stage, std::move(shape));
    return context.converted(context.written(to, own_type), *node.type, cell_type);
}

}  // namespace tenrex::lower
