// Contractions: dot products, distances, products of matrices, and the extremes of their rows.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/plan/copy_steps.h"
#include "lib/plan/document_steps.h"
#include "lib/plan/dot_steps.h"
#include "lib/plan/index_steps.h"
#include "lib/plan/lowering.h"
#include "lib/plan/matmul_steps.h"
#include "lib/plan/weighted_sum_step.h"

namespace tenrex::plan {

namespace {

using kernels::RowPairOperation;

// The stride of all these dimensions taken as one, if there is such a stride.
std::optional<std::ptrdiff_t> common_stride(const TensorType &type, const std::vector<std::string> &dimensions) {
    std::ptrdiff_t stride = 1;
    std::size_t expected = 0;
    for (std::size_t i = dimensions.size(); i-- > 0;) {
        const std::size_t size = type.dimensions()[*type.find(dimensions[i])].size;
        const std::size_t own = stride_of(type, dimensions[i]);
        if (size == 1) {
            continue;
        }
        if (expected == 0) {
            stride = static_cast<std::ptrdiff_t>(own);
        } else if (own != expected) {
            return std::nullopt;
        }
        expected = own * size;
    }
    return stride;
}

CellType multiplied_in(CellType a, CellType b, std::size_t k) {
    // Sums of so many products of bytes are exact in float.
    constexpr std::size_t exact_products = 1024;
    const bool bytes = a == CellType::i8 && b == CellType::i8;
    const bool in_double = a == CellType::f64 || b == CellType::f64 || (bytes && k > exact_products);
    return in_double ? CellType::f64 : CellType::f32;
}

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
        const CellsSlot a = in_order(outer, outer_type).cells;
        const CellsSlot b = in_order(inner, inner_type).cells;
        const Target to = target(node.stage, IndexSlot(), *node.type, CellType::f64);
        add_step<DotDocumentsStep>(
            node.stage, values_[outer].index, a, b, length,
            choose_row_pairs(RowPairOperation::dot, outer_type, inner_type, typical_blocks * length, isa_), to.cells);
        return written(to, CellType::f64);
    }
    if (length == 1 && type(outer).mapped_count() == 1 && values_[inner].index.stage == Stage::document) {
        return sum_of_joined_products(node);
    }
    if (length == 1) {
        const bool in_double = outer_type == CellType::f64 || inner_type == CellType::f64;
        outer_type = inner_type = in_double ? CellType::f64 : CellType::f32;
    }
    const IndexedCells a = in_order(outer, outer_type);
    const IndexedCells b = in_order(inner, inner_type);
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
        add_step<BuildWeightsStep>(stage(inner), b.index, b.cells, inner_type, weights);
    }
    const CellsSlot result = new_planned(node.stage, sizeof(double));
    add_step<SparseDotStep>(node.stage, SparseDotStep::Side{a.index, a.cells, length * byte_size(outer_type)},
                            SparseDotStep::Side{b.index, b.cells, length * byte_size(inner_type)}, table, weights,
                            width, length,
                            choose_row_pairs(RowPairOperation::dot, outer_type, inner_type, length, isa_), result);
    return {{}, result, CellType::f64, {}, {}};
}

Value Lowering::weighted_sum(const ir::Node &node) {
    ir::NodeId outer = node.operands[0];
    ir::NodeId inner = node.operands[1];
    if (stage(outer) < stage(inner)) {
        std::swap(outer, inner);
    }
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

// Rows are those of `a`; the caller has seen to it that `b` has no addresses, or nothing but columns with addresses.
MatmulShape Lowering::matmul_shape(ir::NodeId a, ir::NodeId b, const std::vector<std::string> &summed) {
    const ir::ContractionDimensions dimensions = *ir::contraction_dimensions(type(a), type(b), summed);
    const auto &indexed = dimensions.indexed;
    MatmulShape shape;
    shape.b.batch = cells_of(type(a), indexed.batch);
    shape.b.k = cells_of(type(a), indexed.summed);
    shape.b.n = cells_of(type(b), indexed.columns);
    shape.rows = cells_of(type(a), indexed.rows);
    shape.a_row_cells = shape.b.k;
    const std::optional<ir::NodeId> bits = needed_[a] ? std::nullopt : packed_bits(a);
    const CellType a_type = bits ? CellType::f32 : values_[a].cell_type;
    const CellType cell_type = multiplied_in(a_type, values_[b].cell_type, shape.b.k);
    shape.kernel = kernels::choose_matmul(cell_type, shape.b.k, shape.b.n, isa_);

    const std::vector<std::string> a_order = nontrivial(type(a), {indexed.batch, indexed.rows, indexed.summed});
    if (bits) {  // which reads_bits() allows only beside operands that are not double
        shape.a_type = CellType::i8;
        const IndexedCells cells = in_order(*bits, CellType::i8);
        shape.a = cells.cells;
        shape.a_index = cells.index;
        shape.a_row_cells = shape.b.k / 8;
        shape.convert = kernels::choose_conversion(graph_[a].attributes->ascending
                                                       ? kernels::ConversionOperation::unpack_bits_little
                                                       : kernels::ConversionOperation::unpack_bits_big,
                                                   CellType::i8, cell_type, shape.a_row_cells, isa_);
    } else if (std::is_sorted(a_order.begin(), a_order.end()) && a_type != cell_type) {
        shape.a_type = a_type;
        const IndexedCells cells = in_order(a, a_type);
        shape.a = cells.cells;
        shape.a_index = cells.index;
        shape.convert =
            kernels::choose_conversion(kernels::ConversionOperation::convert, a_type, cell_type, shape.b.k, isa_);
    } else {
        shape.a_type = cell_type;
        shape.a = in_layout(a, cell_type, a_order);
        shape.a_index = values_[a].index;
    }

    const std::optional<std::ptrdiff_t> batch = common_stride(type(b), indexed.batch);
    const std::optional<std::ptrdiff_t> k = common_stride(type(b), indexed.summed);
    const std::optional<std::ptrdiff_t> n = common_stride(type(b), indexed.columns);
    CellsSlot matrix;
    if (batch && k && n) {
        matrix = in_order(b, cell_type).cells;
        shape.b.batch_stride = *batch;
        shape.b.k_stride = *k;
        shape.b.n_stride = *n;
    } else {
        matrix = in_layout(b, cell_type, nontrivial(type(b), {indexed.batch, indexed.summed, indexed.columns}));
        shape.b.batch_stride = static_cast<std::ptrdiff_t>(shape.b.k * shape.b.n);
        shape.b.k_stride = static_cast<std::ptrdiff_t>(shape.b.n);
        shape.b.n_stride = 1;
    }
    if (type(b).has_mapped()) {
        shape.b_columns = values_[b].index;
        shape.b.k_stride = 1;
        shape.b.n_stride = static_cast<std::ptrdiff_t>(shape.b.k);
    }
    if (stage(b) == Stage::document) {
        shape.unpacked = matrix;
    } else {
        shape.packed = new_cells(stage(b));
        add_step<PackMatrixStep>(stage(b), matrix, shape.b_columns, shape.b, shape.kernel, shape.packed);
    }
    return shape;
}

double Lowering::product_cost(ir::NodeId a, ir::NodeId b, const ir::Node &node) const {
    constexpr double copied_cell = 0.15;  // nanoseconds, as are the costs of the kernels
    constexpr double call = 15;
    const auto [summed, batch, row_names, column_names] =
        ir::contraction_dimensions(type(a), type(b), node.attributes->dimensions)->indexed;
    const std::size_t k = cells_of(type(a), summed);
    const std::size_t n = cells_of(type(b), column_names);
    const std::size_t rows = cells_of(type(a), batch) * cells_of(type(a), row_names);
    const CellType cell_type = multiplied_in(values_[a].cell_type, values_[b].cell_type, k);
    const kernels::MatmulKernel &kernel = *kernels::choose_matmul(cell_type, k, n, isa_);
    double cost = static_cast<double>(rows) * kernel.cost.of(packed_cells(kernel, k, n));
    const std::vector<std::string> a_order = nontrivial(type(a), {batch, row_names, summed});
    if (stage(a) == Stage::document && !std::is_sorted(a_order.begin(), a_order.end())) {
        cost += copied_cell * static_cast<double>(type(a).block_cells());
    }
    if (stage(b) == Stage::document) {
        const bool in_place =
            common_stride(type(b), batch) && common_stride(type(b), summed) && common_stride(type(b), column_names);
        cost += call + (in_place ? 1 : 2) * copied_cell * static_cast<double>(type(b).block_cells());
    }
    const std::vector<std::string> order = nontrivial(*node.type, {batch, row_names, column_names});
    const bool is_sorted = std::is_sorted(order.begin(), order.end());
    return cost + (is_sorted ? 0 : copied_cell * static_cast<double>(node.type->block_cells()));
}

Value Lowering::product(const ir::Node &node) {
    ir::NodeId a = node.operands[0];
    ir::NodeId b = node.operands[1];
    // The side with addresses, or else the documents' side, has the rows: the other's columns are packed once.
    const bool keeps = type(a).has_mapped() || (!type(b).has_mapped() && stage(a) >= stage(b));
    if (!keeps || (type(a).has_mapped() && type(b).has_mapped() && stage(a) < stage(b))) {
        std::swap(a, b);
    }
    // Of dense operands either may, as their order and that of the result want it; bits are unpacked as rows alone.
    const bool are_free = !type(a).has_mapped() && !type(b).has_mapped() && needed_[a] && needed_[b];
    if (are_free && node.stage == Stage::document && product_cost(b, a, node) < product_cost(a, b, node)) {
        std::swap(a, b);
    }
    const MatmulShape shape = matmul_shape(a, b, node.attributes->dimensions);
    const CellType cell_type = shape.kernel->out();
    // Bits that are unpacked as they are read have no value of their own; their addresses are those of the bytes.
    const ir::NodeId with_addresses = needed_[a] ? a : packed_bits(a).value_or(a);
    if (shape.b_columns) {
        const ir::NodeId both[] = {with_addresses, b};
        const Joined joined = join(both, node.stage);
        const Target to = target(node.stage, joined.index, *node.type, cell_type);
        add_step<MatmulStep>(node.stage, shape, to);
        return converted(written(to, cell_type), *node.type, node.type->cell_type());
    }
    const auto dimensions = *ir::contraction_dimensions(type(a), type(b), node.attributes->dimensions);
    const std::vector<std::string> order =
        nontrivial(*node.type, {dimensions.indexed.batch, dimensions.indexed.rows, dimensions.indexed.columns});
    const ir::NodeId rows[] = {with_addresses};
    const IndexSlot index = join(rows, node.stage).index;
    const Target to = target(node.stage, index, *node.type, cell_type);
    add_step<MatmulStep>(node.stage, shape, to);
    if (std::is_sorted(order.begin(), order.end())) {
        return converted(written(to, cell_type), *node.type, node.type->cell_type());
    }
    CopyNest nest(byte_size(cell_type));
    std::size_t rest = node.type->block_cells();
    for (const std::string &name : order) {
        rest /= cells_of(*node.type, {name});
        nest.add(cells_of(*node.type, {name}), static_cast<std::ptrdiff_t>(stride_of(*node.type, name)),
                 static_cast<std::ptrdiff_t>(rest));
    }
    note_use(to.cells);
    std::vector<CopyPart> parts;
    parts.push_back({{to.cells, index ? BlockAccess::same : BlockAccess::dense, {}, to.bytes}, std::move(nest), 0, 0});
    const Target sorted = target(node.stage, index, *node.type, cell_type);
    add_step<CopyStep>(node.stage, std::move(parts), sorted);
    return converted(written(sorted, cell_type), *node.type, node.type->cell_type());
}

void Lowering::need_operands(const ir::Node &contraction) {
    for (const bool second : {false, true}) {
        const ir::NodeId operand = contraction.operands[second ? 1 : 0];
        const ir::NodeId other = contraction.operands[second ? 0 : 1];
        if (reads_bits(contraction, operand, other) && !reads_bits(contraction, other, operand)) {
            needed_[*packed_bits(operand)] = true;
        } else {
            needed_[operand] = true;
        }
    }
}

bool Lowering::reads_bits(const ir::Node &contraction, ir::NodeId operand, ir::NodeId other) const {
    if (!packed_bits(operand) || !ir::contraction_terms(*contraction.attributes).is_sum_of_products() ||
        type(other).cell_type() == CellType::f64) {
        return false;
    }
    const auto dimensions = *ir::contraction_dimensions(type(operand), type(other), contraction.attributes->dimensions);
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
    if (!ir::contraction_terms(*node.attributes).is_sum_of_products() || !a.has_mapped() || !b.has_mapped() ||
        stage(node.operands[0]) == stage(node.operands[1]) || node.stage != Stage::document) {
        return false;
    }
    const auto dimensions = *ir::contraction_dimensions(a, b, node.attributes->dimensions);
    return dimensions.mapped.batch.empty() && dimensions.mapped.summed.empty();
}

Value Lowering::contract(const ir::Node &node) {
    const auto form = ir::contraction_form(type(node.operands[0]), type(node.operands[1]), node.attributes->dimensions,
                                           ir::contraction_terms(*node.attributes));
    switch (*form) {
        case ir::ContractionForm::sparse_dot:
            return sparse_dot(node);
        case ir::ContractionForm::weighted_sum:
            return weighted_sum(node);
        case ir::ContractionForm::joined_sum:
            return sum_of_joined_products(node);
        case ir::ContractionForm::product:
            return is_vector_by_rows(node) ? rows(node) : product(node);
        case ir::ContractionForm::dots:
            return has_shared_columns(node) ? product(node) : dots(node);
        case ir::ContractionForm::rows:
            return rows(node);
    }
    __builtin_unreachable();
}

}  // namespace tenrex::plan
