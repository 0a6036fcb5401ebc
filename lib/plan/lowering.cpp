#include "lib/plan/lowering.h"

#include <algorithm>

#include "lib/ir/schedule.h"
#include "lib/plan/lower.h"
#include "lib/plan/run.h"

namespace tenrex::plan {

std::vector<std::string> mapped_names(const TensorType &type) {
    std::vector<std::string> names;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_mapped()) {
            names.push_back(dimension.name);
        }
    }
    return names;
}

Lowering::Lowering(const ir::Graph &graph, kernels::Isa isa, Plan &plan)
    : graph_(graph), precision_(graph), isa_(isa), plan_(plan), values_(graph.size()) {}

void Lowering::run() {
    find_needed();
    for (const ir::GraphInput &input : graph_.inputs()) {
        Port &port = plan_.inputs.emplace_back();
        port.name = input.name;
        port.type = input.type;
        port.block_bytes = block_bytes(input.type);
        port.stage = input.stage;
        port.cells = new_cells(input.stage);
        if (input.type.has_mapped()) {
            port.index = new_index(input.stage);
        }
    }
    input_reads_.assign(shape(Stage::document).cells, 0);
    for (const ir::NodeId id : ir::schedule(graph_)) {
        if (needed_[id]) {
            values_[id] = lower(id);
            release_pending();
        }
    }
    for (const ir::GraphOutput &output : graph_.outputs()) {
        const IndexedCells cells = in_order(output.node, type(output.node).cell_type());
        Port &port = plan_.outputs.emplace_back();
        port.name = output.name;
        port.type = type(output.node);
        port.block_bytes = block_bytes(port.type);
        port.stage = stage(output.node);
        port.cells = cells.cells;
        port.index = cells.index;
    }
    // Outputs are read after the last step.
    for (std::vector<Program>::size_type i = 0; i < plan_.outputs.size(); ++i) {
        note_use(plan_.outputs[i].cells);
    }
    release_pending();
    for (Placement &placement : plan_.placements) {
        placement.has_other_readers = input_reads_[placement.cells] != 1;
    }
}

void Lowering::note_use(CellsSlot cells) {
    pending_.push_back(cells);
}

// What a node read is needed until the last of its steps.
void Lowering::release_pending() {
    for (CellsSlot cells : pending_) {
        for (auto base = views_.find(cells); base != views_.end(); base = views_.find(cells)) {
            cells = base->second;
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

void Lowering::find_needed() {
    needed_.assign(graph_.size(), false);
    for (const ir::GraphOutput &output : graph_.outputs()) {
        needed_[output.node] = true;
    }
    for (ir::NodeId id = static_cast<ir::NodeId>(graph_.size()); id-- > 0;) {
        if (!needed_[id]) {
            continue;
        }
        const ir::Node &node = graph_[id];
        if (ir::has_trait(node.op, ir::Trait::joins) && node.operands.size() == 2) {
            joined_.insert(std::minmax(node.operands[0], node.operands[1]));
        }
        if (node.op == ir::Op::contract || node.op == ir::Op::row_extreme) {
            need_operands(node);
        } else {
            for (const ir::NodeId operand : node.operands) {
                needed_[operand] = true;
            }
        }
    }
}

Value Lowering::lower(ir::NodeId id) {
    const ir::Node &node = graph_[id];
    switch (node.op) {
        case ir::Op::constant:
            return constant(node);
        case ir::Op::input:
            return input(node);
        case ir::Op::apply:
            return apply(node);
        case ir::Op::multiply_add:
            return multiply_add(node);
        case ir::Op::region:
            return region(id, node);
        case ir::Op::region_result:
            return region_result(node);
        case ir::Op::user:
            return user(node);
        case ir::Op::in_set:
            return in_set(node);
        case ir::Op::select:
            return select(node);
        case ir::Op::branch:
            return branch(node);
        case ir::Op::cast:
            return converted(values_[node.operands[0]], *node.type, node.type->cell_type());
        case ir::Op::join_addresses:
            return join_addresses(node);
        case ir::Op::reduce:
            return reduce(node, node.as<ir::Reduce>().aggregator, values_[node.operands[0]], type(node.operands[0]));
        case ir::Op::contract:
            return contract(node);
        case ir::Op::rename:
            return rename(node);
        case ir::Op::concat:
            return concat(node);
        case ir::Op::slice:
            return slice(node);
        case ir::Op::to_mapped:
            return to_mapped(node);
        case ir::Op::to_indexed:
            return to_indexed(node);
        case ir::Op::peek:
            return peek(node);
        case ir::Op::merge:
            return merge(node);
        case ir::Op::fill:
            return fill(node);
        case ir::Op::filter:
            return filter(node);
        case ir::Op::order:
            return order(node);
        case ir::Op::pack:
            return pack(node);
        case ir::Op::unpack_bits:
            return unpack_bits(node);
        case ir::Op::row_extreme:
            return row_extreme(node);
        case ir::Op::normalize:
            return normalize(node);
        case ir::Op::gather:
            return gather(node);
        case ir::Op::top:
            return top(node);
        case ir::Op::join_reduce:
            return join_reduce(node);
    }
    __builtin_unreachable();
}

Value Lowering::constant(const ir::Node &node) {
    ConstantValue &value = plan_.constants.emplace_back();
    value.tensor = node.is_number() ? std::make_shared<Tensor>(node.number()) : node.as<ir::Constant>().value;
    value.cells = new_cells(Stage::constant);
    if (node.type->has_mapped()) {
        value.index = new_index(Stage::constant);
    }
    return {value.index, value.cells, node.type->cell_type(), {}, value.index};
}

Value Lowering::input(const ir::Node &node) {
    const Port &port = plan_.inputs[node.as<ir::Input>().index];
    return {port.index, port.cells, node.type->cell_type(), {}, port.index};
}

Result<std::shared_ptr<const Plan>> lower(const ir::Graph &graph, const LowerOptions &options) {
    const auto plan = std::make_shared<Plan>();
    plan->labels = options.labels;
    plan->own_labels = HeldLabels(options.labels);
    plan->limits = options.limits;
    Lowering(graph, options.isa, *plan).run();
    if (const Status status = plan_memory(*plan); !status) {
        return status.error();
    }
    if (const Status status = run_constants(*plan); !status) {
        return status.error();
    }
    return std::shared_ptr<const Plan>(plan);
}

}  // namespace tenrex::plan
