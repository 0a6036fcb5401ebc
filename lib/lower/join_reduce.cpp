// Aggregates of joins that are never stored: the blocks that go together are found, computed and aggregated by one
// step.
#include "lib/lower/join_reduce.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "lib/ir/infer.h"
#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/lower/matching.h"
#include "lib/lower/operations.h"
#include "lib/lower/reduce.h"
#include "lib/program/dense/document_steps.h"
#include "lib/program/dense/reduce_step.h"
#include "lib/program/layout.h"
#include "lib/program/sparse/join_reduce_step.h"
#include "lib/program/sparse/match_groups.h"
#include "lib/types/block_layout.h"
#include "lib/types/derived_type.h"

namespace tenrex::lower {

using namespace program;

namespace {

bool has_all(const std::vector<std::string> &names, const std::vector<std::string> &wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string &name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    });
}

struct JoinedCells {
    ir::NodeId a, b;
    TensorType type;
    std::optional<kernels::ElementwiseOperation> function;  // none: only the addresses matter
    CellType cell_type = CellType::f64;                     // to compute in
};

JoinReduceStep::Operand operand_of_join(Context &context, ir::NodeId node, const JoinedCells &cells) {
    JoinReduceStep::Operand operand;
    operand.cells = context.in_order(node, cells.cell_type).cells;
    operand.block_cells = context.type(node).block_cells();
    operand.nest = CopyNest(byte_size(cells.cell_type), context.isa());
    for (const Dimension &dimension : cells.type.dimensions()) {
        if (dimension.is_indexed()) {
            operand.nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(cells.type, dimension.name)),
                             static_cast<std::ptrdiff_t>(stride_of(context.type(node), dimension.name)));
        }
    }
    return operand;
}

std::optional<MatchGroups> groups_of_join(Context &context, const ir::Node &node, ir::NodeId outer, ir::NodeId inner) {
    const std::vector<std::string> kept = mapped_names(*node.type);
    if (kept.empty()) {
        return std::nullopt;
    }
    const NamedIndex outer_index = context.addresses().index_of(outer);
    const NamedIndex inner_index = context.addresses().index_of(inner);
    // Those of a join that is known may be in the order of the inner blocks.
    const bool whole_outer = kept == outer_index.names && !context.addresses().is_join_known(outer_index, inner_index);
    MatchGroups::OfInner of_inner;
    if (!whole_outer && inner_index.slot.stage != Stage::document && has_all(inner_index.names, kept)) {
        // Which blocks belong together is known before the documents.
        std::vector<std::uint16_t> positions;
        positions.reserve(kept.size());
        for (const std::string &name : kept) {
            positions.push_back(label_position(context.type(inner), name));
        }
        std::tie(of_inner.index, of_inner.groups) =
            context.addresses().grouped(inner_index.slot, inner_index.names.size(), std::move(positions));
    }
    std::vector<MatchGroups::Source> labels;
    for (const std::string &name : kept) {
        const bool in_outer = has_all(outer_index.names, {name});
        labels.push_back({!in_outer, label_position(context.type(in_outer ? outer : inner), name)});
    }
    return MatchGroups(std::move(labels), whole_outer, of_inner);
}

Value reduce_join(Context &context, const ir::Node &node, Aggregator aggregator, const JoinedCells &cells) {
    // What has a table goes inside; of values of the same stage, what the result's labels come from goes outside.
    context.addresses().join_if_expected(cells.a, cells.b);
    const NamedIndex a = context.addresses().index_of(cells.a);
    const NamedIndex b = context.addresses().index_of(cells.b);
    const std::vector<std::string> kept = mapped_names(*node.type);
    const bool is_free = a.slot.stage != b.slot.stage || has_all(a.names, kept) == has_all(b.names, kept);
    const bool swapped = is_free ? context.addresses().has_earlier_table(a.slot, b.slot) : has_all(b.names, kept);
    const ir::NodeId outer = swapped ? cells.b : cells.a;
    const ir::NodeId inner = swapped ? cells.a : cells.b;
    JoinReduceStep::Shape shape;
    shape.aggregator = aggregator;
    shape.inner_first = swapped;
    shape.joined_cells = cells.type.block_cells();
    shape.target_cells = node.type->block_cells();
    // Whether the aggregated cells of a block lie side by side, in rows.
    bool in_rows = aggregator != Aggregator::avg;
    std::size_t row_cells = 1;
    for (const Dimension &dimension : cells.type.dimensions()) {
        if (dimension.is_mapped()) {
            continue;
        }
        const bool reduced = !node.type->find(dimension.name);
        in_rows &= reduced || row_cells == 1 || dimension.is_trivial();
        row_cells *= reduced ? dimension.size : 1;
        shape.nest.add(dimension.size, {static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                                        static_cast<std::ptrdiff_t>(stride_of(cells.type, dimension.name))});
    }
    const kernels::ElementwiseKernel *function = nullptr;
    const kernels::ReduceKernel *rows = nullptr;
    if (cells.function) {
        shape.outer = operand_of_join(context, outer, cells);
        shape.inner = operand_of_join(context, inner, cells);
        function = kernels::choose_elementwise(*cells.function, cells.cell_type, context.isa());
        // Those of a document are a row, or as many columns as a block has cells.
        const bool are_many = node.type->is_scalar() || row_cells == 1;
        rows = kernels::choose_reduce(*row_operation(aggregator), cells.cell_type,
                                      are_many ? typical_blocks * shape.joined_cells : row_cells, context.isa());
    }
    shape.target_type = node.type->cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
    std::optional<MatchGroups> groups = groups_of_join(context, node, outer, inner);
    shape.target =
        context.target(node.stage, groups ? context.new_index(node.stage) : IndexSlot(), *node.type, shape.target_type);
    const Target to = shape.target;
    const CellType target_type = shape.target_type;
    context.add_step<JoinReduceStep>(node.stage, matcher_of(context, outer, inner), std::move(groups), std::move(shape),
                                     function, rows, in_rows ? row_cells : 1);
    return context.converted(context.written(to, target_type), *node.type, node.type->cell_type());
}

}  // namespace

Value lower_join_reduce(Context &context, const ir::Node &node) {
    const ir::JoinReduce &own = node.as<ir::JoinReduce>();
    const ir::NodeId a = node.operands[0];
    const ir::NodeId b = node.operands[1];
    // The join as a node, which the graph does not have.
    const TensorType type_of_join =
        known_type(own.cell_type, ir::joined(std::array{&context.type(a), &context.type(b)}));
    const ir::Payload payload = own.function ? ir::Payload(ir::Apply{*own.function}) : ir::Payload();
    const ir::Op op = own.function ? ir::Op::apply : ir::Op::join_addresses;
    const ir::Node join{op, node.stage, false, true, &type_of_join, node.operands, &payload, node.span};
    if (context.addresses().is_join_known(context.addresses().index_of(a), context.addresses().index_of(b))) {
        // Nothing is to be found, so kernels take all blocks at once.
        Value joined = own.function ? lower_apply(context, join) : lower_join_addresses(context, join);
        return reduce_value(context, node, {own.aggregator}, joined, type_of_join);
    }
    JoinedCells cells{a, b, type_of_join, std::nullopt, CellType::f32};
    if (own.function) {
        cells.function = kernels::operation_of(*own.function);
        cells.cell_type = context.precision().computed_in(join);
    }
    return reduce_join(context, node, own.aggregator, cells);
}

Value sum_of_joined_products(Context &context, const ir::Node &node) {
    const ir::NodeId a = node.operands[0];
    const ir::NodeId b = node.operands[1];
    const bool in_double = context.value(a).cell_type == CellType::f64 || context.value(b).cell_type == CellType::f64;
    const CellType cell_type = in_double ? CellType::f64 : CellType::f32;
    const TensorType joined = known_type(cell_type, ir::joined(std::array{&context.type(a), &context.type(b)}));
    return reduce_join(context, node, Aggregator::sum,
                       {a, b, joined, kernels::ElementwiseOperation::multiply, cell_type});
}

}  // namespace tenrex::lower
