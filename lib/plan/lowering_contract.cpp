// Contractions: which form they take, and those of labels. Products of matrices are in lowering_product.cpp.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/plan/copy_steps.h"
#include "lib/plan/document_steps.h"
#include "lib/plan/dot_steps.h"
#include "lib/plan/index_steps.h"
#include "lib/plan/lowering.h"
#include "lib/plan/weighted_sum_step.h"
#include "optimizer/matcher.h"

namespace tenrex::plan {

namespace {

using kernels::RowPairOperation;

}  // namespace

CellsSlot Lowering::in_layout(ir::NodeId node, CellType cell_type, const std::vector<std::string> &order) {
    const IndexedCells cells = in_order(node, cell_type);
    return permuted({cells.index, cells.cells, cell_type, {}, cells.index}, type(node), order).cells;
}

Value Lowering::permuted(const Value &value, const TensorType &type, const std::vector<std::string> &order) {
    if (std::is_sorted(order.begin(), order.end())) {
        return value;
    }
    CopyNest nest(byte_size(value.cell_type));
    std::size_t rest = cells_of(type, order);
    for (const std::string &name : order) {
        const std::size_t size = cells_of(type, {name});
        rest /= size;
        nest.add(size, static_cast<std::ptrdiff_t>(rest), static_cast<std::ptrdiff_t>(stride_of(type, name)));
    }
    const BlockUse from{value.cells,
                        value.cells_index ? BlockAccess::same : BlockAccess::dense,
                        {},
                        type.block_cells() * byte_size(value.cell_type)};
    note_use(value.cells);
    std::vector<CopyPart> parts;
    parts.push_back({from, std::move(nest), 0, 0});
    const Target to = target(value.cells.stage, value.cells_index, type, value.cell_type);
    add_step<CopyStep>(to.cells.stage, std::move(parts), to);
    Value result = value;
    result.cells = to.cells;
    return result;
}

// The node whose packed bits are unpacked here, if a kernel can do that as it reads them.
std::optional<ir::NodeId> Lowering::packed_bits(ir::NodeId node) const {
    const ir::Node &unpack = graph_[node];
    const bool readable = unpack.op == ir::Op::unpack_bits && unpack.stage == Stage::document &&
                          unpack.type->cell_type() != CellType::f64 &&
                          type(unpack.operands[0]).cell_type() == CellType::i8;
    return readable ? std::optional(unpack.operands[0]) : std::nullopt;
}

Value Lowering::sparse_dot(const ir::Node &node) {
    ir::NodeId outer = node.operands[0];
    ir::NodeId inner = node.operands[1];
    if (stage(outer) < stage(inner)) {
        std::swap(outer, inner);
    }
    const std::size_t length = type(outer).block_cells();
    CellType outer_type = values_[outer].cell_type;
    CellType inner_type = values_[inner].cell_type;
    if (values_[outer].index == values_[inner].index) {
        const kernels::ConvertedRowPairs pairs = kernels::choose_converted_row_pairs(
            RowPairOperation::dot, outer_type, inner_type, typical_blocks * length, isa_);
        const CellsSlot a = in_order(outer, pairs.a).cells;
        const CellsSlot b = in_order(inner, pairs.b).cells;
        const Target to = target(node.stage, IndexSlot(), *node.type, CellType::f64);
        add_step<DotDocumentsStep>(node.stage, values_[outer].index, a, b, length, pairs.choice, to.cells);
        return written(to, CellType::f64);
    }
    if (length == 1 && type(outer).mapped_count() == 1 && values_[inner].index.stage == Stage::document) {
        return sum_of_joined_products(node);
    }
    if (length == 1) {
        const bool in_double = outer_type == CellType::f64 || inner_type == CellType::f64;
        outer_type = inner_type = in_double ? CellType::f64 : CellType::f32;
    }
    const kernels::ConvertedRowPairs pairs =
        kernels::choose_converted_row_pairs(RowPairOperation::dot, outer_type, inner_type, length, isa_);
    const IndexedCells a = in_order(outer, pairs.a);
    const IndexedCells b = in_order(inner, pairs.b);
    const std::size_t width = type(outer).mapped_count();
    std::vector<std::uint16_t> key;
    for (std::size_t i = 0; i < width; ++i) {
        key.push_back(static_cast<std::uint16_t>(i));
    }
    const TableSlot table = b.index.stage == Stage::document ? TableSlot() : table_of(b.index, width, key);
    WeightsSlot weights;
    if (table && width == 1 && length == 1) {
        // The labels may be those of a constant where the cells are not: a number of the query times a constant.
        weights = new_weights(stage(inner));
        add_step<BuildWeightsStep>(stage(inner), b.index, b.cells, pairs.b, weights);
    }
    const CellsSlot result = new_planned(node.stage, sizeof(double));
    add_step<SparseDotStep>(node.stage, SparseDotStep::Side{a.index, a.cells, length * byte_size(pairs.a)},
                            SparseDotStep::Side{b.index, b.cells, length * byte_size(pairs.b)}, table, weights, width,
                            length, pairs.choice, result);
    return {{}, result, CellType::f64, {}, {}};
}

Value Lowering::weighted_sum(const ir::Node &node) {
    ir::NodeId outer = node.operands[0];
    ir::NodeId inner = node.operands[1];
    if (stage(outer) < stage(inner)) {
        std::swap(outer, inner);
    }
    join_if_needed(outer, inner);
    const bool in_double = values_[outer].cell_type == CellType::f64 || values_[inner].cell_type == CellType::f64;
    const CellType cell_type = in_double ? CellType::f64 : CellType::f32;
    WeightedSumStep::Shape shape;
    shape.outer = in_order(outer, cell_type).cells;
    shape.inner = in_order(inner, cell_type).cells;
    shape.length = node.type->block_cells();
    shape.blocks_outside = type(outer).has_indexed();
    shape.cell_type = cell_type;
    const Target to = target(node.stage, IndexSlot(), *node.type, cell_type);
    shape.target = to.cells;
    add_step<WeightedSumStep>(node.stage, matcher_of(outer, inner), shape,
                              kernels::choose_elementwise(kernels::ElementwiseOperation::multiply, cell_type, isa_));
    return converted(written(to, cell_type), *node.type, node.type->cell_type());
}

void Lowering::need_operands(const ir::Node &node) {
    const ir::Contraction contraction = ir::contraction_of(node);
    for (const auto &[operand, other] : optimizer::either_order(node.operands)) {
        if (reads_bits(contraction, operand, other) && !reads_bits(contraction, other, operand)) {
            needed_[*packed_bits(operand)] = true;
        } else {
            needed_[operand] = true;
        }
    }
    for (const ir::NodeId bias : node.operands.subspan(2)) {
        needed_[bias] = true;
    }
}

bool Lowering::reads_bits(const ir::Contraction &contraction, ir::NodeId operand, ir::NodeId other) const {
    if (!packed_bits(operand) || !contraction.terms.is_sum_of_products() || type(other).cell_type() == CellType::f64) {
        return false;
    }
    const auto dimensions = *ir::contraction_dimensions(type(operand), type(other), contraction.dimensions);
    const auto &[indexed, mapped] = dimensions;
    // The bits are the rows of a product, or of pairs.
    const bool whole_rows = indexed.batch.empty() && indexed.rows.empty() && mapped.summed.empty();
    const bool columns_known = stage(other) != Stage::document && mapped.batch.empty() && mapped.columns.empty();
    return whole_rows && (indexed.columns.empty() || columns_known);
}

bool Lowering::has_shared_columns(const ir::Node &node) const {
    // Both operands have addresses, none in common, and the blocks of one are known before the documents.
    const TensorType &a = type(node.operands[0]);
    const TensorType &b = type(node.operands[1]);
    if (!optimizer::is_sum_of_products(node) || !a.has_mapped() || !b.has_mapped() ||
        stage(node.operands[0]) == stage(node.operands[1]) || node.stage != Stage::document) {
        return false;
    }
    const auto dimensions = *ir::contraction_dimensions(a, b, node.as<ir::Contract>().dimensions);
    return dimensions.mapped.batch.empty() && dimensions.mapped.summed.empty();
}

Value Lowering::contract(const ir::Node &node) {
    if (node.as<ir::Contract>().has_epilogue()) {
        return product(node);
    }
    const auto form = ir::contraction_form(type(node.operands[0]), type(node.operands[1]),
                                           node.as<ir::Contract>().dimensions, node.as<ir::Contract>().terms);
    switch (*form) {
        case ir::ContractionForm::sparse_dot:
            return sparse_dot(node);
        case ir::ContractionForm::weighted_sum:
            return weighted_sum(node);
        case ir::ContractionForm::joined_sum:
            return sum_of_joined_products(node);
        case ir::ContractionForm::product:
            return ir::is_vector_by_rows(graph_, node) ? rows(node) : product(node);
        case ir::ContractionForm::dots:
            return has_shared_columns(node) ? product(node) : dots(node);
        case ir::ContractionForm::rows:
            return rows(node);
    }
    __builtin_unreachable();
}

}  // namespace tenrex::plan
