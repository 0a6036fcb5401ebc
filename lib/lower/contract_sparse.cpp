// Contractions over labels.
#include "lib/lower/contract_sparse.h"

#include <algorithm>

#include "lib/kernels/elementwise/elementwise_kernels.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/lower/context.h"
#include "lib/lower/join_reduce.h"
#include "lib/lower/matching.h"
#include "lib/program/dense/document_steps.h"
#include "lib/program/sparse/sparse_dot_step.h"
#include "lib/program/sparse/weighted_sum_step.h"

namespace tenrex::lower {

using namespace program;

Value contract_sparse(Context &context, const ir::Node &node) {
    ir::NodeId outer = node.operands[0];
    ir::NodeId inner = node.operands[1];
    if (context.stage(outer) < context.stage(inner)) {
        std::swap(outer, inner);
    }
    const std::size_t length = context.type(outer).block_cells();
    CellType outer_type = context.value(outer).cell_type;
    CellType inner_type = context.value(inner).cell_type;
    if (context.value(outer).index == context.value(inner).index) {
        const kernels::ConvertedRowPairs pairs = kernels::choose_converted_row_pairs(
            kernels::RowPairOperation::dot, outer_type, inner_type, typical_blocks * length, context.isa());
        const CellsSlot a = context.in_order(outer, pairs.a).cells;
        const CellsSlot b = context.in_order(inner, pairs.b).cells;
        const Target to = context.target(node.stage, IndexSlot(), *node.type, CellType::f64);
        context.add_step<DotDocumentsStep>(node.stage, context.value(outer).index, a, b, length, pairs.choice,
                                           to.cells);
        return context.written(to, CellType::f64);
    }
    // Blocks of few cells are multiplied together, once those are side by side that go together.
    constexpr std::size_t few_cells = 16;
    const bool as_stored = decay(outer_type) == outer_type && decay(inner_type) == inner_type;
    if ((length == 1 || (length <= few_cells && as_stored)) && context.type(outer).mapped_count() == 1 &&
        context.value(inner).index.stage == Stage::document) {
        return sum_of_joined_products(context, node);
    }
    if (length == 1) {
        const bool in_double = outer_type == CellType::f64 || inner_type == CellType::f64;
        outer_type = inner_type = in_double ? CellType::f64 : CellType::f32;
    }
    const kernels::ConvertedRowPairs pairs = kernels::choose_converted_row_pairs(
        kernels::RowPairOperation::dot, outer_type, inner_type, length, context.isa());
    const IndexedCells a = context.in_order(outer, pairs.a);
    const IndexedCells b = context.in_order(inner, pairs.b);
    const std::size_t width = context.type(outer).mapped_count();
    std::vector<std::uint16_t> key;
    for (std::size_t i = 0; i < width; ++i) {
        key.push_back(static_cast<std::uint16_t>(i));
    }
    const TableSlot table =
        b.index.stage == Stage::document ? TableSlot() : context.addresses().table_of(b.index, width, key);
    WeightsSlot weights;
    if (table && width == 1 && length == 1) {
        // The labels may be those of a constant where the cells are not: a number of the query times a constant.
        weights = context.new_weights(context.stage(inner));
        context.add_step<BuildWeightsStep>(context.stage(inner), b.index, b.cells, pairs.b, weights);
    }
    const CellsSlot result = context.new_planned(node.stage, sizeof(double));
    context.add_step<SparseDotStep>(node.stage, SparseDotStep::Side{a.index, a.cells, length * byte_size(pairs.a)},
                                    SparseDotStep::Side{b.index, b.cells, length * byte_size(pairs.b)}, table, weights,
                                    width, length, pairs.choice, result);
    return {{}, result, CellType::f64, {}, {}};
}

Value contract_weights(Context &context, const ir::Node &node) {
    ir::NodeId outer = node.operands[0];
    ir::NodeId inner = node.operands[1];
    if (context.stage(outer) < context.stage(inner)) {
        std::swap(outer, inner);
    }
    context.addresses().join_if_expected(outer, inner);
    const bool in_double =
        context.value(outer).cell_type == CellType::f64 || context.value(inner).cell_type == CellType::f64;
    const CellType cell_type = in_double ? CellType::f64 : CellType::f32;
    WeightedSumStep::Shape shape;
    shape.outer = context.in_order(outer, cell_type).cells;
    shape.inner = context.in_order(inner, cell_type).cells;
    shape.length = node.type->block_cells();
    shape.blocks_outside = context.type(outer).has_indexed();
    shape.cell_type = cell_type;
    const Target to = context.target(node.stage, IndexSlot(), *node.type, cell_type);
    shape.target = to.cells;
    context.add_step<WeightedSumStep>(node.stage, matcher_of(context, outer, inner), shape,
                                      kernels::choose_weighted_rows(cell_type, shape.length, context.isa()));
    return context.converted(context.written(to, cell_type), *node.type, node.type->cell_type());
}

}  // namespace tenrex::lower
