// The largest or smallest of the numbers that a contraction gives for the rows of one operand, or for those of each
// group of rows: MaxSim, for a document or for each of its chunks.
#include <algorithm>
#include <tuple>

#include "lib/ir/contraction.h"
#include "lib/kernels/reduce/reduce_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/lower/contract_matmul.h"
#include "lib/lower/contract_row_pairs.h"
#include "lib/lower/operations.h"
#include "lib/lower/packed_bits.h"
#include "lib/program/library/matmul_steps.h"
#include "lib/program/library/row_extreme_step.h"
#include "lib/program/library/row_groups.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

// For choosing a kernel: how many rows there are is known only when documents come.
constexpr std::size_t typical_rows = 64;

kernels::ReduceOperation row_reduction(Aggregator aggregator) {
    return aggregator == Aggregator::max ? kernels::ReduceOperation::max : kernels::ReduceOperation::min;
}

std::pair<RowGroups, IndexSlot> groups_of_rows(Context &context, IndexSlot rows, const TensorType &rows_type,
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
        const auto &[group_index, map] = context.addresses().grouped(rows, rows_type.mapped_count(), std::move(kept));
        groups = {group_index, map};
        index.slot = group_index;
    }
    if (context.type(columns).has_mapped()) {
        index = std::get<NamedIndex>(context.addresses().join_pair(index, context.addresses().index_of(columns)));
    }
    return {groups, context.addresses().at_stage(index.slot, index.names.size(), result.stage).first};
}

}  // namespace

Value lower_row_extreme(Context &context, const ir::Node &node) {
    const ir::RowExtreme &own = node.as<ir::RowExtreme>();
    const ir::Contraction contraction = ir::contraction_of(node);
    const ir::NodeId with_rows = node.operands[0];
    const ir::NodeId with_columns = node.operands[1];
    const auto dimensions =
        *ir::contraction_dimensions(context.type(with_rows), context.type(with_columns), contraction.dimensions);
    // Some labels of the rows are kept: an extreme for each chunk.
    const std::vector<std::string> &labels = dimensions.mapped.rows;
    const bool by_groups = std::any_of(labels.begin(), labels.end(),
                                       [&](const std::string &name) { return node.type->find(name).has_value(); });
    // Documents without rows have no results, or 0 if the results have no addresses.
    const auto result_index = [&](IndexSlot columns, std::size_t width, IndexSlot rows) {
        const IndexSlot index = context.new_index(node.stage);
        const MapSlot map = context.new_map(node.stage);
        context.add_step<ReplicateWhereStep>(node.stage, columns, width, rows, index, map);
        context.addresses().note_part(index, columns, width, map);
        if (columns.stage != Stage::document) {
            context.addresses().note_copies(index);
        }
        return std::pair(index, map);
    };
    if (own.by_product) {
        const MatmulShape shape = matmul_shape(context, with_rows, with_columns, own.is_packed, contraction);
        RowGroups groups;
        IndexSlot index;
        if (by_groups) {
            std::tie(groups, index) =
                groups_of_rows(context, shape.a_index, context.type(with_rows), with_columns, node);
        } else if (shape.b_columns) {
            index = result_index(shape.b_columns, context.type(with_columns).mapped_count(), shape.a_index).first;
        }
        const Target to = context.target(node.stage, index, *node.type, shape.kernel->out());
        context.add_step<MatmulExtremeStep>(
            node.stage, shape,
            own.aggregator == Aggregator::max ? kernels::MatmulReduction::max : kernels::MatmulReduction::min, groups,
            to);
        return context.converted(context.written(to, shape.kernel->out()), *node.type, node.type->cell_type());
    }
    const RowPairOperands pairs = row_pair_operands(context, contraction);
    // The operands of the kernel may be in the other order, or the packed bits of those of the contraction.
    const bool rows_first = pairs.a == with_rows || bits_read_in_place(context, with_rows) == pairs.a;
    const ir::NodeId rows = rows_first ? pairs.a : pairs.b;
    const ir::NodeId others = rows_first ? pairs.b : pairs.a;
    const CellType rows_type = rows_first ? pairs.a_type : pairs.b_type;
    kernels::RowPairChoice choice = pairs.choice;
    choice.swapped ^= !rows_first;
    const CellType others_type = rows_first ? pairs.b_type : pairs.a_type;
    const auto &[summed, batch, row_names, column_names] = dimensions.indexed;
    const IndexedCells stored = context.in_order(rows, rows_type);
    const Value a = in_rows(context, {stored.index, stored.cells, rows_type, {}, stored.index}, context.type(rows),
                            row_names, summed);
    BlockUse b =
        context.own_use(in_rows(context, context.converted(context.value(others), context.type(others), others_type),
                                context.type(others), column_names, summed),
                        context.type(others));
    RowGroups groups;
    IndexSlot index;
    if (by_groups) {
        std::tie(groups, index) = groups_of_rows(context, a.index, context.type(rows), others, node);
    } else if (context.type(others).has_mapped()) {
        const auto [found, map] =
            result_index(context.value(others).index, context.type(others).mapped_count(), a.index);
        index = found;
        b.access = BlockAccess::mapped;
        b.map = b.map ? context.addresses().compose(index, map, b.map) : map;
    }
    const CellType out = choice.kernel->out;
    const Target to = context.target(node.stage, index, *node.type, CellType::f64);
    const std::size_t row_bytes = cells_of(context.type(rows), summed) * byte_size(rows_type);
    context.add_step<RowPairExtremeStep>(
        node.stage, RowPairExtremeStep::Rows{a.cells, a.index, cells_of(context.type(rows), row_names), row_bytes},
        groups, b, context.value(others).index, cells_of(context.type(others), column_names), pairs.length, choice,
        kernels::choose_reduce(row_reduction(own.aggregator), out, typical_rows, context.isa()), to);
    return context.converted(context.written(to, CellType::f64), *node.type, node.type->cell_type());
}

}  // namespace tenrex::lower
