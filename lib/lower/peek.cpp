// Dimensions that go, as a label or index of each is chosen.
#include <algorithm>

#include "lib/lower/block_part.h"
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/sparse/peek_by_index_step.h"
#include "lib/program/sparse/peek_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

// Single cells of a dense value. What choosers say that are known earlier is put together where they are.
void peek_by_index(Context &context, Stage stage, const PeekStep::Shape &peek,
                   const std::vector<Axis<any_number>> &axes, Target target) {
    std::vector<std::size_t> earlier, own;
    Stage known = Stage::constant;
    for (std::size_t i = 0; i < peek.choosers.size(); ++i) {
        const Stage chosen = peek.choosers[i].cells.cells.stage;
        (chosen < stage ? earlier : own).push_back(i);
        known = chosen < stage ? std::max(known, chosen) : known;
    }
    // Over array 0 or 1 of the axes, and of the choosers those.
    const auto nest_of = [&](std::size_t array, const std::vector<std::size_t> &choosers) {
        LoopNest<any_number> nest(1 + choosers.size());
        for (const Axis<any_number> &axis : axes) {
            PerArray<any_number> strides = {axis.strides[array]};
            for (const std::size_t chooser : choosers) {
                strides.push_back(axis.strides[2 + chooser]);
            }
            nest.add(axis.size, std::move(strides));
        }
        return nest;
    };
    const auto choosers_of = [&](const std::vector<std::size_t> &numbers) {
        std::vector<IndexChooser> choosers;
        choosers.reserve(numbers.size());
        for (const std::size_t number : numbers) {
            choosers.push_back(peek.choosers[number]);
        }
        return choosers;
    };
    PeekByIndexStep::Shape shape{peek.operand, peek.cell_bytes, {}, 0, choosers_of(own), nest_of(0, own), target};
    if (earlier.empty() && axes.empty()) {
        shape.place = static_cast<std::uint32_t>(peek.base);
    } else {
        shape.places = context.new_map(known);
        context.add_step<PlacesStep>(known, choosers_of(earlier), nest_of(1, earlier), peek.base, shape.places);
    }
    context.add_step<PeekByIndexStep>(stage, std::move(shape));
}

}  // namespace

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
    std::vector<Axis<any_number>> axes;  // of the nest
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
            shape.nest.add(dimension.size, strides);
            axes.push_back({dimension.size, std::move(strides)});
        } else {
            shape.rest.add(dimension.size, strides[0], strides[1]);
        }
    }
    if (!cells.index && !joined.index && shape.rest.contiguous_bytes() == shape.cell_bytes &&
        from.block_cells() < PlacesStep::nowhere) {
        const Target target = context.target(node.stage, {}, *node.type, own_type);
        peek_by_index(context, node.stage, shape, axes, target);
        return context.converted(context.written(target, own_type), *node.type, cell_type);
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
