#include "lib/lower/context.h"

#include <algorithm>

#include "lib/kernels/convert/convert_kernels.h"
#include "lib/program/layout.h"
#include "lib/program/move/copy_steps.h"

namespace tenrex::lower {

using namespace program;

Context::Context(const ir::Graph &graph, kernels::Isa isa, Plan &plan, std::vector<bool> needed)
    : graph_(graph),
      precision_(graph),
      isa_(isa),
      plan_(plan),
      addresses_(*this),
      needed_(std::move(needed)),
      values_(graph.size()) {}

std::vector<Operand> Context::operands(std::span<const ir::NodeId> nodes) const {
    std::vector<Operand> operands;
    operands.reserve(nodes.size());
    for (const ir::NodeId node : nodes) {
        operands.push_back(operand(node));
    }
    return operands;
}

CellsSlot Context::new_planned(Stage stage, std::size_t bytes) {
    const CellsSlot cells = new_cells(stage);
    planned_[cells] = shape(stage).planned.size();
    const std::size_t step = plan_.programs[static_cast<int>(stage)].size();
    shape(stage).planned.push_back({cells.number, bytes, step, step, 0});
    // What nobody reads is written all the same: at the latest when its node is done.
    note_use(cells);
    return cells;
}

CellsSlot Context::new_indexed(Stage stage, std::size_t bytes) {
    const CellsSlot cells = new_cells(stage);
    if (stage == Stage::document) {  // later programs read those of earlier ones at any time
        buffered_[cells] = shape(stage).buffered.size();
        const std::size_t step = program(stage).size();
        shape(stage).buffered.push_back({cells.number, bytes, step, step, 0});
        note_use(cells);
    }
    return cells;
}

Target Context::target(Stage stage, IndexSlot index, const TensorType &type, CellType cell_type) {
    Target target;
    target.index = index;
    target.bytes = type.block_cells() * byte_size(cell_type);
    target.cells = index ? new_indexed(stage, target.bytes) : new_planned(stage, target.bytes);
    target.of_shared = addresses().is_of_shared(index);
    shape(stage).infos.push_back({target.cells.number, type, cell_type});
    return target;
}

Value Context::written(const Target &target, CellType cell_type) const {
    return {target.index, target.cells, cell_type, {}, target.index};
}

Value Context::converted(const Value &value, const TensorType &type, CellType cell_type) {
    Value result = value;
    note_use(value.cells);
    if (value.cell_type == cell_type) {
        return result;
    }
    result.cell_type = cell_type;
    const auto known = conversions_.find({value.cells, cell_type});
    if (known != conversions_.end()) {
        result.cells = known->second;
        note_use(result.cells);
        return result;
    }
    // In the program that makes the cells, so that a constant is converted once.
    const std::size_t length = type.block_cells();
    const BlockUse from{value.cells,
                        value.cells_index ? BlockAccess::same : BlockAccess::dense,
                        {},
                        length * byte_size(value.cell_type)};
    const Stage own = value.cells.stage;
    const Target to = target(own, value.cells_index, type, cell_type);
    add_step<ConvertStep>(
        own, from, length,
        kernels::choose_conversion(kernels::ConversionOperation::convert, value.cell_type, cell_type, length, isa_),
        to);
    result.cells = to.cells;
    conversions_[{value.cells, cell_type}] = to.cells;
    return result;
}

BlockUse Context::use(const Operand &operand, CellType cell_type, const Joined::Operand &joined) {
    const Value value = converted(operand.value, *operand.type, cell_type);
    note_use(value.cells);
    return {value.cells, joined.access, joined.map, operand.type->block_cells() * byte_size(cell_type)};
}

BlockUse Context::own_use(ir::NodeId node, CellType cell_type) {
    return own_use(converted(values_[node], type(node), cell_type), type(node));
}

BlockUse Context::own_use(const Value &value, const TensorType &type) {
    note_use(value.cells);
    BlockUse use{value.cells, BlockAccess::dense, value.map, type.block_cells() * byte_size(value.cell_type)};
    if (value.index) {
        use.access = value.map ? BlockAccess::mapped : BlockAccess::same;
    }
    return use;
}

IndexedCells Context::in_order(ir::NodeId node, CellType cell_type) {
    return in_order(values_[node], type(node), cell_type);
}

IndexedCells Context::in_order(Value &value, const TensorType &type, CellType cell_type) {
    const BlockUse use = own_use(converted(value, type, cell_type), type);
    if (use.access != BlockAccess::mapped) {
        return {value.index, use.cells};
    }
    const IndexSlot index = value.index;
    const Stage later = std::max(index.stage, std::max(use.cells.stage, value.map.stage));
    const Target to = target(later, index, type, cell_type);
    CopyNest nest(byte_size(cell_type), isa_);
    nest.add(type.block_cells(), 1, 1);
    std::vector<CopyPart> parts;
    parts.push_back({use, std::move(nest), 0, 0});
    add_step<CopyStep>(later, std::move(parts), to);
    if (value.cell_type == cell_type) {
        value = written(to, cell_type);
    }
    return {index, to.cells};
}

CellsSlot Context::view_of(CellsSlot cells, const TensorType &type, CellType cell_type) {
    const CellsSlot view = new_cells(cells.stage);
    views_[view] = cells;
    shape(view.stage).infos.push_back({view.number, type, cell_type});
    return view;
}

const kernels::ElementwiseKernel *Context::elementwise_kernel(kernels::ElementwiseOperation operation,
                                                              CellType cell_type) {
    const kernels::ElementwiseKernel *&kernel = elementwise_kernels_[{operation, cell_type}];
    if (kernel == nullptr) {
        kernel = kernels::choose_elementwise(operation, cell_type, isa_);
    }
    return kernel;
}

CellsSlot Context::base_of(CellsSlot cells) const {
    for (auto base = views_.find(cells); base != views_.end(); base = views_.find(cells)) {
        cells = base->second;
    }
    return cells;
}

void Context::note_operands(const ir::Node &node) {
    for (const ir::NodeId operand : node.operands) {
        if (buffered_.contains(base_of(values_[operand].cells))) {
            note_use(values_[operand].cells);
        }
    }
}

void Context::release_pending() {
    for (CellsSlot cells : pending_) {
        cells = base_of(cells);
        const auto buffered = buffered_.find(cells);
        if (buffered != buffered_.end()) {
            shape(cells.stage).buffered[buffered->second].last_step = program(cells.stage).size() - 1;
            continue;
        }
        const auto found = planned_.find(cells);
        if (found != planned_.end()) {
            PlannedCells &planned = shape(cells.stage).planned[found->second];
            planned.last_step = plan_.programs[static_cast<int>(cells.stage)].size() - 1;
        } else if (is_document_input(cells)) {
            ++input_reads_[cells.number];
        }
    }
    pending_.clear();
}

void Context::inputs_are_there() {
    input_reads_.assign(shape(Stage::document).cells, 0);
}

void Context::finish_placements() {
    for (Placement &placement : plan_.placements) {
        placement.has_other_readers = input_reads_[placement.cells] != 1;
    }
}

}  // namespace tenrex::lower
