#include "lib/lower/lower.h"

#include <iterator>

#include "lib/ir/schedule.h"
#include "lib/lower/operations.h"
#include "lib/lower/weights.h"
#include "lib/program/run.h"
#include "lib/types/block_layout.h"
#include "optimizer/packed_bits.h"

namespace tenrex::lower {

using namespace program;

namespace {

using Rule = Value (*)(Context &, const ir::Node &);
constexpr Rule rules[] = {
#define TENREX_OP(id, name, least, most, payload, traits, summary) lower_##id,
#include "lib/ir/ops.def"
};
static_assert(std::size(rules) == ir::op_count);

// The steps that have come since are for the node.
void note_text(Context &context, ir::NodeId node, StepSpans *spans) {
    for (std::size_t stage = 0; spans != nullptr && stage < spans->size(); ++stage) {
        (*spans)[stage].resize(context.plan().programs[stage].size(), context.graph()[node].span);
    }
}

void add_inputs(Context &context) {
    for (const ir::GraphInput &input : context.graph().inputs()) {
        Port &port = context.plan().inputs.emplace_back();
        port.name = input.name;
        port.type = input.declared.value_or(input.type);
        port.block_bytes = block_bytes(input.type);
        port.stage = input.stage;
        port.cells = context.new_cells(input.stage);
        if (input.type.has_mapped()) {
            port.index = context.new_index(input.stage);
        }
        if (input.declared) {
            context.addresses().note_rows(port.index);
        }
    }
    context.inputs_are_there();
}

void add_nodes(Context &context, StepSpans *spans) {
    const ir::Graph &graph = context.graph();
    const std::vector<ir::NodeId> order = ir::schedule(graph);
    for (const ir::NodeId id : order) {
        const ir::Node &node = graph[id];
        if (ir::has_trait(node.op, ir::Trait::joins) && node.operands.size() == 2) {
            context.addresses().expect_join(node.operands[0], node.operands[1]);
        }
    }
    for (const ir::NodeId id : order) {
        if (context.is_needed(id)) {
            context.note_operands(graph[id]);
            context.value(id) = rules[static_cast<std::size_t>(graph[id].op)](context, graph[id]);
            context.release_pending();
            note_text(context, id, spans);
        }
    }
}

void add_outputs(Context &context, StepSpans *spans) {
    Plan &plan = context.plan();
    for (const ir::GraphOutput &output : context.graph().outputs()) {
        const TensorType &type = context.type(output.node);
        const IndexedCells cells = context.in_order(output.node, type.cell_type());
        note_text(context, output.node, spans);
        if (!output.size_of.empty()) {
            plan.outputs.back().sizes.push_back(cells.cells);
            continue;
        }
        Port &port = plan.outputs.emplace_back();
        port.name = output.name;
        port.type = output.declared.value_or(type);
        port.block_bytes = block_bytes(type);
        port.stage = context.stage(output.node);
        port.cells = cells.cells;
        port.index = cells.index;
    }
    // Outputs are read after the last step.
    for (const Port &output : plan.outputs) {
        context.note_use(output.cells);
        for (const CellsSlot size : output.sizes) {
            context.note_use(size);
        }
    }
    context.release_pending();
}

}  // namespace

Result<std::shared_ptr<const Plan>> lower(const ir::Graph &graph, const LowerOptions &options, StepSpans *spans) {
    const auto plan = std::make_shared<Plan>();
    plan->labels = options.labels;
    plan->own_labels = HeldLabels(options.labels);
    plan->limits = options.limits;
    plan->weights = options.weights;
    Context context(graph, options.isa, *plan, without_weights(graph, optimizer::needed_nodes(graph)));
    add_inputs(context);
    add_nodes(context, spans);
    add_outputs(context, spans);
    context.finish_placements();
    if (const Status status = plan_memory(*plan); !status) {
        return status.error();
    }
    if (const Status status = run_constants(*plan); !status) {
        return status.error();
    }
    return std::shared_ptr<const Plan>(plan);
}

}  // namespace tenrex::lower
