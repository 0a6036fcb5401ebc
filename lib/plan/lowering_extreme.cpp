// Extremes of what a contraction gives for rows.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/plan/lowering.h"
#include "lib/plan/matmul_steps.h"
#include "lib/plan/row_extreme_step.h"

namespace tenrex::plan {

namespace {

// For choosing a kernel: how many rows there are is known only when documents come.
constexpr std::size_t typical_rows = 64;

kernels::ReduceOperation row_reduction(Aggregator aggregator) {
    return aggregator == Aggregator::max ? kernels::ReduceOperation::max : kernels::ReduceOperation::min;
}

}  // namespace

std::pair<RowGroups, IndexSlot> Lowering::groups_of_rows(IndexSlot rows, const TensorType &rows_type,
                                                         ir::NodeId columns, const ir::Node &result) {
    NamedIndex index{rows, {}};
    std::vector<std::uint16_t> kept;
    for (const std::string &name : mapped_names(rows_type)) {
        if (result.type->find(name)) {
            index.names.push_back(name);
            kept.push_back(label_position(rows_type, name));
        }
    }
    RowGroups groups{rows, {}};
    if (kept.size() != rows_type.mapped_count()) {
        const auto &[group_index, map] = grouped(rows, rows_type.mapped_count(), std::move(kept));
        groups = {group_index, map};
        index.slot = group_index;
    }
    if (type(columns).has_mapped()) {
        index = std::get<NamedIndex>(join_pair(index, index_of(columns)));
    }
    return {groups, at_stage(index.slot, index.names.size(), result.stage).first};
}

Value Lowering::row_extreme(const ir::Node &node) {
    const ir::RowExtreme &own = node.as<ir::RowExtreme>();
    const ir::Contraction contraction = ir::contraction_of(node);
    const ir::NodeId with_rows = node.operands[0];
    const ir::NodeId with_columns = node.operands[1];
    const auto dimensions = *ir::contraction_dimensions(type(with_rows), type(with_columns), contraction.dimensions);
    // Some labels of the rows are kept: an extreme for each chunk.
    const std::vector<std::string> &labels = dimensions.mapped.rows;
    const bool by_groups = std::any_of(labels.begin(), labels.end(),
                                       [&](const std::string &name) { return node.type->find(name).has_value(); });
    // Documents without rows have no results, or 0 if the results have no addresses.
    const auto result_index = [&](IndexSlot columns, std::size_t width, IndexSlot rows) {
        const IndexSlot index = new_index(node.stage);
        const MapSlot map = new_map(node.stage);
        add_step<ReplicateWhereStep>(node.stage, columns, width, rows, index, map);
        note_part(index, columns, width, map);
        return std::pair(index, map);
    };
    if (own.by_product) {
        const MatmulShape shape = matmul_shape(with_rows, with_columns, contraction);
        RowGroups groups;
        IndexSlot index;
        if (by_groups) {
            std::tie(groups, index) = groups_of_rows(shape.a_index, type(with_rows), with_columns, node);
        } else if (shape.b_columns) {
            index = result_index(shape.b_columns, type(with_columns).mapped_count(), shape.a_index).first;
        }
        const Target to = target(node.stage, index, *node.type, shape.kernel->out());
        add_step<MatmulExtremeStep>(
            node.stage, shape,
            own.aggregator == Aggregator::max ? kernels::MatmulReduction::max : kernels::MatmulReduction::min, groups,
            to);
        return converted(written(to, shape.kernel->out()), *node.type, node.type->cell_type());
    }
    const RowPairOperands pairs = row_pair_operands(contraction);
    // The operands of the kernel may be in the other order, or the packed bits of those of the contraction.
    const bool rows_first = pairs.a == with_rows || packed_bits(with_rows) == pairs.a;
    const ir::NodeId rows = rows_first ? pairs.a : pairs.b;
    const ir::NodeId others = rows_first ? pairs.b : pairs.a;
    const CellType rows_type = rows_first ? pairs.a_type : pairs.b_type;
    kernels::RowPairChoice choice = pairs.choice;
    choice.swapped ^= !rows_first;
    const CellType others_type = rows_first ? pairs.b_type : pairs.a_type;
    const auto &[summed, batch, row_names, column_names] = dimensions.indexed;
    const IndexedCells stored = in_order(rows, rows_type);
    const Value a = in_rows({stored.index, stored.cells, rows_type, {}, stored.index}, type(rows), row_names, summed);
    BlockUse b =
        own_use(in_rows(converted(values_[others], type(others), others_type), type(others), column_names, summed),
                type(others));
    RowGroups groups;
    IndexSlot index;
    if (by_groups) {
        std::tie(groups, index) = groups_of_rows(a.index, type(rows), others, node);
    } else if (type(others).has_mapped()) {
        const auto [found, map] = result_index(values_[others].index, type(others).mapped_count(), a.index);
        index = found;
        b.access = BlockAccess::mapped;
        b.map = b.map ? compose(index, map, b.map) : map;
    }
    const CellType out = choice.kernel->out;
    const Target to = target(node.stage, index, *node.type, CellType::f64);
    const std::size_t row_bytes = cells_of(type(rows), summed) * byte_size(rows_type);
    add_step<RowPairExtremeStep>(
        node.stage, RowPairExtremeStep::Rows{a.cells, a.index, cells_of(type(rows), row_names), row_bytes}, groups, b,
        values_[others].index, cells_of(type(others), column_names), pairs.length, choice,
        kernels::choose_reduce(row_reduction(own.aggregator), out, typical_rows, isa_), to);
    return converted(written(to, CellType::f64), *node.type, node.type->cell_type());
}

}  // namespace tenrex::plan
