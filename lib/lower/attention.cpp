// Rows of values, weighted by how well queries match keys.
#include <algorithm>
#include <array>
#include <iterator>

#include "lib/ir/contraction.h"
#include "lib/lower/contract_matmul.h"
#include "lib/lower/operations.h"
#include "lib/lower/permuted.h"
#include "lib/program/library/attention_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

using Rows = AttentionStep::Rows;

std::vector<std::string> indexed_without(const TensorType &type, const std::vector<std::string> &others) {
    std::vector<std::string> names;
    for (const Dimension &dimension : type.dimensions()) {
        if (dimension.is_indexed() && std::find(others.begin(), others.end(), dimension.name) == others.end()) {
            names.push_back(dimension.name);
        }
    }
    return names;
}

// The operand as rows of heads. Where one stride does not lead from head to head or from cell to cell, or that is to be
// 1 and is not, it is copied.
Rows rows_of(Context &context, ir::NodeId node, CellType cell_type, const std::string &along,
             const std::vector<std::string> &heads, const std::vector<std::string> &cells, bool side_by_side) {
    const TensorType &type = context.type(node);
    const IndexedCells stored = context.in_order(node, cell_type);
    Rows rows;
    rows.cells = stored.cells;
    rows.index = stored.index;
    rows.bytes = type.block_cells() * byte_size(cell_type);
    const bool is_indexed = type.find(along) && type.dimensions()[*type.find(along)].is_indexed();
    const std::vector<std::string> own_rows = is_indexed ? std::vector{along} : std::vector<std::string>();
    rows.count = cells_of(type, own_rows);
    const auto head = common_stride(type, heads);
    const auto cell = common_stride(type, cells);
    if (head && cell && (!side_by_side || *cell == 1)) {
        rows.row = static_cast<std::ptrdiff_t>(is_indexed ? stride_of(type, along) : type.block_cells());
        rows.head = *head;
        rows.cell = *cell;
        return rows;
    }
    rows.cells = in_layout(context, node, cell_type, nontrivial(type, {own_rows, heads, cells}));
    rows.cell = 1;
    rows.head = static_cast<std::ptrdiff_t>(cells_of(type, cells));
    rows.row = rows.head * static_cast<std::ptrdiff_t>(cells_of(type, heads));
    return rows;
}

std::vector<std::string> heads_of_mask(const TensorType &mask, const std::vector<std::string> &heads) {
    std::vector<std::string> own;
    std::copy_if(heads.begin(), heads.end(), std::back_inserter(own),
                 [&](const std::string &name) { return mask.find(name).has_value(); });
    return own;
}

// A block for each pair of a query and a key.
AttentionStep::Pairs pairs_of(Context &context, const ir::Node &node, const AttentionStep::Shape &shape,
                              const std::vector<std::string> &heads) {
    const auto [queries, keys, mask] = std::array{node.operands[0], node.operands[1], node.operands[3]};
    const Rows rows = rows_of(context, mask, CellType::f32, "", heads_of_mask(context.type(mask), heads), {}, true);
    // By their indexes, which the cells lie in the order of.
    const auto on = [&](ir::NodeId operand, IndexSlot index) {
        Value value;
        value.index = index;
        return Operand{value, &context.type(operand)};
    };
    const Operand operands[] = {on(mask, rows.index), on(queries, shape.queries.index), on(keys, shape.keys.index)};
    const Joined joined = context.addresses().join(operands, node.stage);
    AttentionStep::Pairs pairs;
    pairs.index = joined.index;
    pairs.queries = joined.operands[1].map;
    pairs.keys = joined.operands[2].map;
    pairs.mask = {rows.cells, joined.operands[0].access, joined.operands[0].map, rows.bytes};
    pairs.heads = cells_of(context.type(mask), heads_of_mask(context.type(mask), heads));
    pairs.head = rows.head;
    return pairs;
}

// A row for each query, or one for all; with a cell for each key, or one for all. Blocks of labels are keys, or
// queries.
Rows mask_of(Context &context, ir::NodeId node, const ir::Attention &own, const std::vector<std::string> &heads) {
    const TensorType &type = context.type(node);
    const std::vector<std::string> own_heads = heads_of_mask(type, heads);
    const auto has = [&](const std::string &name, bool mapped) {
        return type.find(name) && type.dimensions()[*type.find(name)].is_mapped() == mapped;
    };
    const std::vector<std::string> keys =
        has(own.key_rows, false) ? std::vector{own.key_rows} : std::vector<std::string>();
    Rows rows =
        rows_of(context, node, CellType::f32, has(own.query_rows, false) ? own.query_rows : "", own_heads, keys, true);
    if (own_heads.size() != heads.size() && cells_of(type, own_heads) == 1) {
        rows.head = 0;
    }
    if (has(own.key_rows, true)) {
        rows.cell = 1;
        rows.row = 0;
    } else if (keys.empty()) {
        rows.cell = 0;
    }
    if (!has(own.query_rows, false) && !has(own.query_rows, true)) {
        rows.row = 0;
    }
    return rows;
}

}  // namespace

Value lower_attention(Context &context, const ir::Node &node) {
    const ir::Attention &own = node.as<ir::Attention>();
    const auto [queries, keys, values] = std::array{node.operands[0], node.operands[1], node.operands[2]};
    const std::vector<std::string> heads = indexed_without(context.type(queries), {own.summed, own.query_rows});
    std::vector<std::string> no_columns = heads;
    no_columns.push_back(own.value_rows);
    const std::vector<std::string> columns = indexed_without(context.type(values), no_columns);
    AttentionStep::Shape shape;
    const CellType type = own.is_rounded ? CellType::bf16 : CellType::f32;
    const auto rows = [&](ir::NodeId operand, const std::string &along, const std::vector<std::string> &cells) {
        return rows_of(context, operand, type, along, heads, cells, own.is_rounded);
    };
    shape.queries = rows(queries, own.query_rows, {own.summed});
    shape.keys = rows(keys, own.key_rows, {own.summed});
    shape.values = rows(values, own.value_rows, columns);
    shape.heads = cells_of(context.type(queries), heads);
    shape.width = cells_of(context.type(queries), {own.summed});
    shape.columns = cells_of(context.type(values), columns);
    kernels::Attention call;
    if (own.masking != ir::Masking::none) {
        const TensorType &mask = context.type(node.operands[3]);
        if (mask.mapped_count() == 2) {
            shape.pairs = pairs_of(context, node, shape, heads);
        } else {
            shape.mask = mask_of(context, node.operands[3], own, heads);
        }
        call.masking =
            own.masking == ir::Masking::added ? kernels::AttentionMask::added : kernels::AttentionMask::chosen;
    }
    call.heads = shape.heads;
    call.width = shape.width;
    call.columns = shape.columns;
    call.scale = static_cast<float>(own.scale);
    call.otherwise = static_cast<float>(own.otherwise);
    call.subtracts_max = own.is_stable;
    const ir::NodeId result_rows[] = {queries};
    const IndexSlot index = context.addresses().join(result_rows, node.stage).index;
    shape.target = context.target(node.stage, index, *node.type, CellType::f32);
    call.out_row =
        static_cast<std::ptrdiff_t>(index ? node.type->block_cells() : stride_of(*node.type, own.query_rows));
    call.out_head = *common_stride(*node.type, heads);
    context.add_step<AttentionStep>(node.stage, shape, call,
                                    kernels::choose_attention(type, shape.width, context.isa()));
    return context.written(shape.target, CellType::f32);
}

}  // namespace tenrex::lower
