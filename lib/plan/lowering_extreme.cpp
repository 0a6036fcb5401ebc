// The largest or smallest of the numbers that a contraction gives for the rows of one operand, or for those of each
// group of rows: MaxSim, for a document or for each of its chunks.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/plan/lowering.h"
#include "lib/plan/matmul_steps.h"
#include "lib/plan/row_extreme_step.h"
#include "optimizer/matcher.h"

namespace tenrex::plan {

namespace {

// For choosing a kernel: how many rows there are is known only when documents come.
constexpr std::size_t typical_rows = 64;

kernels::ReduceOperation row_reduction(Aggregator aggregator) {
    return aggregator == Aggregator::max ? kernels::ReduceOperation::max : kernels::ReduceOperation::min;
}

}  // namespace

std::optional<Lowering::Extreme> Lowering::extreme_of_rows(const ir::Node &node,
                                                           const std::vector<std::uint32_t> &uses) const {
    if (!optimizer::is_extreme(node)) {
        return std::nullopt;
    }
    const ir::Node &contraction = graph_[node.operands[0]];
    if (contraction.op != ir::Op::contract || contraction.as<ir::Contract>().has_epilogue() ||
        uses[node.operands[0]] != 1) {
        return std::nullopt;
    }
    const std::vector<std::string> &reduced = node.as<ir::Reduce>().dimensions;
    const auto is_reduced = [&](const std::string &name) {
        return std::find(reduced.begin(), reduced.end(), name) != reduced.end();
    };
    for (const bool swapped : {false, true}) {
        const ir::NodeId a = contraction.operands[swapped ? 1 : 0];
        const ir::NodeId b = contraction.operands[swapped ? 0 : 1];
        const auto dimensions =
            *ir::contraction_dimensions(type(a), type(b), contraction.as<ir::Contract>().dimensions);
        const auto &[indexed, mapped] = dimensions;
        const auto reduced_rows = std::count_if(mapped.rows.begin(), mapped.rows.end(), is_reduced) +
                                  std::count_if(indexed.rows.begin(), indexed.rows.end(), is_reduced);
        const bool only_rows = static_cast<std::size_t>(reduced_rows) == reduced.size() &&
                               std::all_of(indexed.rows.begin(), indexed.rows.end(), is_reduced) &&
                               indexed.batch.empty() && mapped.batch.empty() && mapped.summed.empty() &&
                               !indexed.summed.empty();
        const bool by_groups = !std::all_of(mapped.rows.begin(), mapped.rows.end(), is_reduced);
        // Groups come first in the addresses of the results, as what is later does in a join.
        if (!only_rows || (by_groups && !mapped.columns.empty() && stage(a) < stage(b))) {
            continue;
        }
        const bool is_product = optimizer::is_sum_of_products(contraction);
        const bool many_columns = !indexed.columns.empty() || !mapped.columns.empty();
        if (is_product && many_columns) {
            // By a product of matrices: the columns are cells of dense blocks, or blocks known before the documents.
            const bool shared_blocks = mapped.columns.empty() || (indexed.columns.empty() && stage(b) < stage(a));
            if (shared_blocks) {
                return Extreme{node.operands[0], a, b, true, by_groups};
            }
        }
        // What the documents share is multiplied with many of them at a time, and then reduced.
        const bool better_multiplied =
            is_product && (!indexed.columns.empty() || (!indexed.rows.empty() && stage(a) != Stage::document));
        if (!better_multiplied && (mapped.columns.empty() || stage(b) != Stage::document)) {
            return Extreme{node.operands[0], a, b, false, by_groups};
        }
    }
    return std::nullopt;
}

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

Value Lowering::extreme(const ir::Node &node, const Extreme &extreme) {
    const ir::Node &contraction = graph_[extreme.contraction];
    const Aggregator aggregator = node.as<ir::Reduce>().aggregator;
    // Documents without rows have no results, or 0 if the results have no addresses.
    const auto result_index = [&](IndexSlot columns, std::size_t width, IndexSlot rows) {
        const IndexSlot index = new_index(node.stage);
        const MapSlot map = new_map(node.stage);
        add_step<ReplicateWhereStep>(node.stage, columns, width, rows, index, map);
        note_part(index, columns, width, map);
        return std::pair(index, map);
    };
    if (extreme.by_product) {
        const MatmulShape shape = matmul_shape(extreme.a, extreme.b, contraction);
        RowGroups groups;
        IndexSlot index;
        if (extreme.by_groups) {
            std::tie(groups, index) = groups_of_rows(shape.a_index, type(extreme.a), extreme.b, node);
        } else if (shape.b_columns) {
            index = result_index(shape.b_columns, type(extreme.b).mapped_count(), shape.a_index).first;
        }
        const Target to = target(node.stage, index, *node.type, shape.kernel->out());
        add_step<MatmulExtremeStep>(
            node.stage, shape,
            aggregator == Aggregator::max ? kernels::MatmulReduction::max : kernels::MatmulReduction::min, groups, to);
        return converted(written(to, shape.kernel->out()), *node.type, node.type->cell_type());
    }
    const RowPairOperands pairs = row_pair_operands(contraction);
    // The operands of the kernel may be in the other order, or the packed bits of those of the contraction.
    const bool rows_first = pairs.a == extreme.a || packed_bits(extreme.a) == pairs.a;
    const ir::NodeId rows = rows_first ? pairs.a : pairs.b;
    const ir::NodeId others = rows_first ? pairs.b : pairs.a;
    const CellType rows_type = rows_first ? pairs.a_type : pairs.b_type;
    kernels::RowPairChoice choice = pairs.choice;
    choice.swapped ^= !rows_first;
    const CellType others_type = rows_first ? pairs.b_type : pairs.a_type;
    const auto dimensions =
        *ir::contraction_dimensions(type(extreme.a), type(extreme.b), contraction.as<ir::Contract>().dimensions);
    const auto &[summed, batch, row_names, column_names] = dimensions.indexed;
    const IndexedCells stored = in_order(rows, rows_type);
    const Value a = in_rows({stored.index, stored.cells, rows_type, {}, stored.index}, type(rows), row_names, summed);
    BlockUse b =
        own_use(in_rows(converted(values_[others], type(others), others_type), type(others), column_names, summed),
                type(others));
    RowGroups groups;
    IndexSlot index;
    if (extreme.by_groups) {
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
        kernels::choose_reduce(row_reduction(aggregator), out, typical_rows, isa_), to);
    return converted(written(to, CellType::f64), *node.type, node.type->cell_type());
}

}  // namespace tenrex::plan
