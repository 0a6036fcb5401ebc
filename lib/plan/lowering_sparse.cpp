// Operations that decide which blocks there are.
#include <algorithm>

#include "lib/plan/copy_steps.h"
#include "lib/plan/index_steps.h"
#include "lib/plan/lowering.h"
#include "lib/plan/merge_steps.h"
#include "lib/plan/peek_step.h"

namespace tenrex::plan {

namespace {

BlockUse use_of(const IndexedCells &cells, std::size_t bytes) {
    return {cells.cells, cells.index ? BlockAccess::same : BlockAccess::dense, {}, bytes};
}

}  // namespace

Value Lowering::merge(const ir::Node &node) {
    const CellType cell_type = node.type->cell_type();
    const IndexedCells a = in_order(node.operands[0], cell_type);
    const IndexedCells b = in_order(node.operands[1], cell_type);
    const IndexedCells both = in_order(node.operands[2], cell_type);
    const Target to = target(node.stage, new_index(node.stage), *node.type, cell_type);
    if (const auto maps = maps_of_join(a.index, b.index, both.index, mapped_names(*node.type))) {
        add_step<MergeJoinedStep>(node.stage, a, b, both, maps->first, maps->second, node.type->mapped_count(), to);
    } else {
        add_step<MergeStep>(node.stage, a, b, both, node.type->mapped_count(), to);
    }
    return written(to, cell_type);
}

Value Lowering::fill(const ir::Node &node) {
    const CellType cell_type = values_[node.operands[0]].cell_type;
    const IndexedCells operand = in_order(node.operands[0], cell_type);
    const TensorType &wanted = type(node.operands[1]);
    std::vector<std::uint16_t> positions;
    for (const std::string &name : mapped_names(*node.type)) {
        positions.push_back(label_position(wanted, name));
    }
    const Target to = target(node.stage, new_index(node.stage), *node.type, cell_type);
    add_step<FillStep>(node.stage, operand, values_[node.operands[1]].index, wanted.mapped_count(),
                       std::move(positions), to);
    return written(to, cell_type);
}

Value Lowering::filter(const ir::Node &node) {
    const Joined joined = join(node.operands, node.stage);
    const BlockUse keep = use(node.operands[1], CellType::f64, joined.operands[1]);
    const IndexSlot index = new_index(node.stage);
    const MapSlot map = new_map(node.stage);
    add_step<FilterIndexStep>(node.stage, joined.index, node.type->mapped_count(), keep, index, map);
    note_part(index, joined.index, node.type->mapped_count(), map);
    Value result = values_[node.operands[0]];
    note_use(result.cells);
    result.index = index;
    result.map = joined.operands[0].access == BlockAccess::mapped ? compose(index, map, joined.operands[0].map) : map;
    return result;
}

Value Lowering::branch(const ir::Node &node) {
    const CellType cell_type = node.type->cell_type();
    const IndexedCells condition = in_order(node.operands[0], CellType::f64);
    const IndexedCells when_true = in_order(node.operands[1], cell_type);
    const IndexedCells when_false = in_order(node.operands[2], cell_type);
    const Target to = target(node.stage, new_index(node.stage), *node.type, cell_type);
    add_step<BranchStep>(node.stage, condition.cells, when_true, when_false, node.type->mapped_count(), to);
    return written(to, cell_type);
}

Value Lowering::to_mapped(const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const TensorType &from = type(operand);
    const CellType cell_type = values_[operand].cell_type;
    const IndexedCells cells = in_order(operand, cell_type);
    std::vector<ToMappedStep::ResultLabel> labels;
    CopyNest nest(byte_size(cell_type));
    for (const Dimension &dimension : node.type->dimensions()) {
        const Dimension &source = from.dimensions()[*from.find(dimension.name)];
        const std::size_t stride = stride_of(from, dimension.name);
        if (dimension.is_indexed()) {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                     static_cast<std::ptrdiff_t>(stride));
        } else if (source.is_indexed()) {
            labels.push_back({0, source.size, stride});
        } else {
            labels.push_back({label_position(from, dimension.name), 0, 0});
        }
    }
    const Target to = target(node.stage, new_index(node.stage), *node.type, cell_type);
    add_step<ToMappedStep>(node.stage, use_of(cells, from.block_cells() * byte_size(cell_type)), cells.index,
                           from.mapped_count(), std::move(labels), std::move(nest), byte_size(cell_type), to);
    return written(to, cell_type);
}

Value Lowering::to_indexed(const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const TensorType &from = type(operand);
    const CellType cell_type = values_[operand].cell_type;
    const IndexedCells cells = in_order(operand, cell_type);
    std::vector<ToIndexedStep::Becomes> becomes;
    std::vector<std::uint16_t> kept;
    CopyNest nest(byte_size(cell_type));
    for (const Dimension &dimension : node.type->dimensions()) {
        const bool was_mapped = from.dimensions()[*from.find(dimension.name)].is_mapped();
        const std::size_t stride = stride_of(*node.type, dimension.name);
        if (dimension.is_mapped()) {
            kept.push_back(label_position(from, dimension.name));
        } else if (was_mapped) {
            becomes.push_back({label_position(from, dimension.name), stride});
        } else {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride),
                     static_cast<std::ptrdiff_t>(stride_of(from, dimension.name)));
        }
    }
    IndexSlot index;
    MapSlot groups;
    if (!kept.empty()) {
        std::tie(index, groups) = grouped(cells.index, from.mapped_count(), std::move(kept));
    }
    const Target to = target(node.stage, index, *node.type, cell_type);
    add_step<ToIndexedStep>(node.stage, cells, from.mapped_count(), from.block_cells() * byte_size(cell_type), groups,
                            std::move(becomes), std::move(nest), byte_size(cell_type), to);
    return written(to, cell_type);
}

Value Lowering::peek(const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const TensorType &from = type(operand);
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
        CopyNest nest(byte_size(values_[operand].cell_type));
        for (const Dimension &dimension : node.type->dimensions()) {
            if (dimension.is_indexed()) {
                nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                         static_cast<std::ptrdiff_t>(stride_of(from, dimension.name)));
            }
        }
        return part(operand, values_[operand].index, node, std::move(nest), base);
    }

    const CellType own_type = values_[operand].cell_type;
    const std::span<const ir::NodeId> choosers = node.operands.subspan(1);
    const Joined joined = join(choosers, node.stage);
    const IndexedCells cells = in_order(operand, own_type);
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
        for (const std::string &name : mapped_names(type(chooser))) {
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
            chooser.cells = use(node.operands[part.computed], CellType::f64, joined.operands[part.computed - 1]);
            chooser.stride = stride_of(from, part.dimension);
            chooser.size = dimension.size;
            chooser.key = shape.key.size();
        }
        if (dimension.is_mapped()) {
            shape.key.push_back(label_position(from, part.dimension));
            shape.key_labels.push_back(
                {false, 0, part.computed == 0 ? plan_.own_labels.hold(part.label) : LabelTexts::nowhere});
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
    shape.rest = CopyNest(byte_size(own_type));
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_mapped()) {
            continue;
        }
        PerArray<any_number> strides = {static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                                        static_cast<std::ptrdiff_t>(stride_of(from, dimension.name))};
        bool chosen = false;
        for (const ir::PeekPart &part : parts) {
            if (part.computed != 0) {
                const TensorType &chooser = type(node.operands[part.computed]);
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
        shape.table = table_of(cells.index, from.mapped_count(), shape.key);
    }
    shape.target =
        target(node.stage, node.type->has_mapped() ? new_index(node.stage) : IndexSlot(), *node.type, own_type);
    const Target to = shape.target;
    add_step<PeekStep>(node.stage, std::move(shape));
    return converted(written(to, own_type), *node.type, cell_type);
}

}  // namespace tenrex::plan
