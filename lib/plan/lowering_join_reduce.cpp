// Aggregates of joins that are never stored: the blocks that go together are found, computed and aggregated by one
// step.
#include <algorithm>
#include <array>

#include "lib/ir/infer.h"
#include "lib/plan/document_steps.h"
#include "lib/plan/lowering.h"
#include "lib/plan/reduce_step.h"
#include "lib/types/derived_type.h"

namespace tenrex::plan {

namespace {

bool has_all(const std::vector<std::string> &names, const std::vector<std::string> &wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string &name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    });
}

}  // namespace

Value Lowering::join_reduce(const ir::Node &node) {
    const ir::JoinReduce &own = node.as<ir::JoinReduce>();
    const ir::NodeId a = node.operands[0];
    const ir::NodeId b = node.operands[1];
    // The join as a node, which the graph does not have.
    const TensorType type_of_join = known_type(own.cell_type, ir::joined(std::array{&type(a), &type(b)}));
    const ir::Payload payload = own.function ? ir::Payload(ir::Apply{*own.function}) : ir::Payload();
    const ir::Op op = own.function ? ir::Op::apply : ir::Op::join_addresses;
    const ir::Node join{op, node.stage, false, &type_of_join, node.operands, &payload, node.span};
    if (is_join_known(index_of(a), index_of(b))) {
        // Nothing is to be found, so kernels take all blocks at once.
        Value joined = own.function ? apply(join) : join_addresses(join);
        return reduce(node, own.aggregator, joined, type_of_join);
    }
    JoinedCells cells{a, b, type_of_join, std::nullopt, CellType::f32};
    if (own.function) {
        cells.function = kernels::operation_of(*own.function);
        cells.cell_type = precision_.computed_in(join);
    }
    return reduce_join(node, own.aggregator, cells);
}

Value Lowering::sum_of_joined_products(const ir::Node &node) {
    const ir::NodeId a = node.operands[0];
    const ir::NodeId b = node.operands[1];
    const bool in_double = values_[a].cell_type == CellType::f64 || values_[b].cell_type == CellType::f64;
    const CellType cell_type = in_double ? CellType::f64 : CellType::f32;
    const TensorType joined = known_type(cell_type, ir::joined(std::array{&type(a), &type(b)}));
    return reduce_join(node, Aggregator::sum, {a, b, joined, kernels::ElementwiseOperation::multiply, cell_type});
}

Value Lowering::reduce_join(const ir::Node &node, Aggregator aggregator, const JoinedCells &cells) {
    // What the documents share goes inside, where its table is made once; else what the result's labels come from goes
    // outside.
    join_if_needed(cells.a, cells.b);
    const NamedIndex a = index_of(cells.a);
    const NamedIndex b = index_of(cells.b);
    const std::vector<std::string> kept = mapped_names(*node.type);
    const bool swapped =
        a.slot.stage != b.slot.stage ? a.slot.stage < b.slot.stage : !has_all(a.names, kept) && has_all(b.names, kept);
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
        shape.outer = operand_of_join(outer, cells);
        shape.inner = operand_of_join(inner, cells);
        function = kernels::choose_elementwise(*cells.function, cells.cell_type, isa_);
        const bool whole = node.type->is_scalar();
        rows = kernels::choose_reduce(*row_operation(aggregator), cells.cell_type,
                                      whole ? typical_blocks * shape.joined_cells : row_cells, isa_);
    }
    shape.target_type = node.type->cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
    std::optional<MatchGroups> groups = groups_of_join(node, outer, inner);
    shape.target = target(node.stage, groups ? new_index(node.stage) : IndexSlot(), *node.type, shape.target_type);
    const Target to = shape.target;
    const CellType target_type = shape.target_type;
    add_step<JoinReduceStep>(node.stage, matcher_of(outer, inner), std::move(groups), std::move(shape), function, rows,
                             in_rows ? row_cells : 1);
    return converted(written(to, target_type), *node.type, node.type->cell_type());
}

Matcher Lowering::matcher_of(ir::NodeId outer, ir::NodeId inner) {
    const NamedIndex a = index_of(outer);
    const NamedIndex b = index_of(inner);
    if (is_join_known(a, b)) {
        const auto [joined, to_outer, to_inner] = join_pair(a, b);
        return {side_of(outer, inner), side_of(inner, outer), Matcher::Joined{joined.slot, to_outer, to_inner}};
    }
    const Matcher::Side inner_side = side_of(inner, outer);
    const TableSlot table = inner_side.index.stage == Stage::document
                                ? TableSlot()
                                : table_of(inner_side.index, inner_side.width, inner_side.key);
    return {side_of(outer, inner), inner_side, table};
}

Matcher::Side Lowering::side_of(ir::NodeId node, ir::NodeId other) const {
    const NamedIndex own = index_of(node);
    Matcher::Side side{own.slot, own.names.size(), {}};
    for (const std::string &name : own.names) {
        if (type(other).find(name)) {
            side.key.push_back(label_position(type(node), name));
        }
    }
    return side;
}

JoinReduceStep::Operand Lowering::operand_of_join(ir::NodeId node, const JoinedCells &cells) {
    JoinReduceStep::Operand operand;
    operand.cells = in_order(node, cells.cell_type).cells;
    operand.block_cells = type(node).block_cells();
    operand.nest = CopyNest(byte_size(cells.cell_type));
    for (const Dimension &dimension : cells.type.dimensions()) {
        if (dimension.is_indexed()) {
            operand.nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(cells.type, dimension.name)),
                             static_cast<std::ptrdiff_t>(stride_of(type(node), dimension.name)));
        }
    }
    return operand;
}

std::optional<MatchGroups> Lowering::groups_of_join(const ir::Node &node, ir::NodeId outer, ir::NodeId inner) {
    const std::vector<std::string> kept = mapped_names(*node.type);
    if (kept.empty()) {
        return std::nullopt;
    }
    const NamedIndex outer_index = index_of(outer);
    const NamedIndex inner_index = index_of(inner);
    // Those of a join that is known may be in the order of the inner blocks.
    const bool whole_outer = kept == outer_index.names && !is_join_known(outer_index, inner_index);
    MatchGroups::OfInner of_inner;
    if (!whole_outer && inner_index.slot.stage != Stage::document && has_all(inner_index.names, kept)) {
        // Which blocks belong together is known before the documents.
        std::vector<std::uint16_t> positions;
        positions.reserve(kept.size());
        for (const std::string &name : kept) {
            positions.push_back(label_position(type(inner), name));
        }
        std::tie(of_inner.index, of_inner.groups) =
            grouped(inner_index.slot, inner_index.names.size(), std::move(positions));
    }
    std::vector<MatchGroups::Source> labels;
    for (const std::string &name : kept) {
        const bool in_outer = has_all(outer_index.names, {name});
        labels.push_back({!in_outer, label_position(type(in_outer ? outer : inner), name)});
    }
    return MatchGroups(std::move(labels), whole_outer, of_inner);
}

}  // namespace tenrex::plan
