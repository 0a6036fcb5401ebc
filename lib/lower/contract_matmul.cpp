// Products of matrices.
#include "lib/lower/contract_matmul.h"

#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/matmul/matmul_kernels.h"
#include "lib/lower/context.h"
#include "lib/lower/matmul_cost.h"
#include "lib/lower/packed_bits.h"
#include "lib/lower/permuted.h"
#include "lib/program/layout.h"
#include "lib/program/library/matmul_steps.h"
#include "lib/program/move/copy_steps.h"
#include "lib/types/block_layout.h"
#include "optimizer/products.h"

namespace tenrex::lower {

using namespace program;

const kernels::MatmulKernel *choose_kernel(const Context &context, ir::NodeId b,
                                           const ir::ContractionDimensions::Group &dimensions,
                                           kernels::MatmulCells cells) {
    const TensorType &type = context.type(b);
    const std::size_t expected = type.has_mapped() ? expected_blocks : cells_of(type, dimensions.columns);
    return kernels::choose_matmul(cells, cells_of(type, dimensions.summed), expected, context.isa());
}

Columns columns_of(Context &context, ir::NodeId b, const ir::ContractionDimensions::Group &dimensions,
                   const kernels::MatmulKernel &kernel) {
    const TensorType &type = context.type(b);
    const auto &[summed, batch_names, row_names, column_names] = dimensions;
    Columns columns;
    columns.index = context.value(b).index;
    columns.shape.batch = cells_of(type, batch_names);
    columns.shape.k = cells_of(type, summed);
    columns.shape.n = cells_of(type, column_names);
    const std::optional<std::ptrdiff_t> batch = common_stride(type, batch_names);
    const std::optional<std::ptrdiff_t> k = common_stride(type, summed);
    const std::optional<std::ptrdiff_t> n = common_stride(type, column_names);
    if (batch && k && n) {
        columns.cells = context.in_order(b, kernel.type).cells;
        columns.shape.batch_stride = *batch;
        columns.shape.k_stride = *k;
        columns.shape.n_stride = *n;
    } else {
        columns.cells = in_layout(context, b, kernel.type, nontrivial(type, {batch_names, summed, column_names}));
        columns.shape.batch_stride = static_cast<std::ptrdiff_t>(columns.shape.k * columns.shape.n);
        columns.shape.k_stride = static_cast<std::ptrdiff_t>(columns.shape.n);
        columns.shape.n_stride = 1;
    }
    if (columns.index) {
        columns.shape.k_stride = 1;
        columns.shape.n_stride = static_cast<std::ptrdiff_t>(columns.shape.k);
    }
    return columns;
}

MatmulShape matmul_shape(Context &context, ir::NodeId a, ir::NodeId b, bool is_packed,
                         const ir::Contraction &contraction) {
    const auto indexed = ir::contraction_dimensions(context.type(a), context.type(b), contraction.dimensions)->indexed;
    const std::size_t k = cells_of(context.type(a), indexed.summed);
    const std::optional<ir::NodeId> bits = bits_read_in_place(context, a);
    const CellType a_type = bits ? optimizer::unpacked_in_place : context.value(a).cell_type;
    MatmulShape shape;
    shape.cells = matmul_cells(a_type, context.value(b).cell_type, context.stage(b), contraction.cell_type, k);
    if (is_packed) {
        shape.b.batch = cells_of(context.type(a), indexed.batch);
        shape.b.k = k;
        shape.b.n = cells_of(context.type(b), indexed.columns);
        shape.b_columns = context.value(b).index;
        shape.packed = context.value(b).cells;
        shape.kernel = context.value(b).packed_for;
    } else {
        shape.kernel = choose_kernel(context, b, indexed, shape.cells);
        const Columns columns = columns_of(context, b, indexed, *shape.kernel);
        shape.b = columns.shape;
        shape.b_columns = columns.index;
        shape.unpacked = columns.cells;
    }
    shape.rows = cells_of(context.type(a), indexed.rows);
    shape.a_row_cells = k;
    const CellType cell_type = shape.kernel->type;

    const std::vector<std::string> a_order = nontrivial(context.type(a), {indexed.batch, indexed.rows, indexed.summed});
    if (bits) {  // which reads_bits(context) allows only beside operands that are not double
        shape.a_type = CellType::i8;
        const IndexedCells cells = context.in_order(*bits, CellType::i8);
        shape.a = cells.cells;
        shape.a_index = cells.index;
        shape.a_row_cells = k / 8;
        shape.convert = kernels::choose_conversion(context.graph()[a].as<ir::UnpackBits>().lowest_first
                                                       ? kernels::ConversionOperation::unpack_bits_little
                                                       : kernels::ConversionOperation::unpack_bits_big,
                                                   CellType::i8, cell_type, shape.a_row_cells, context.isa());
    } else if (std::is_sorted(a_order.begin(), a_order.end()) && a_type != cell_type) {
        shape.a_type = a_type;
        const IndexedCells cells = context.in_order(a, a_type);
        shape.a = cells.cells;
        shape.a_index = cells.index;
        shape.convert =
            kernels::choose_conversion(kernels::ConversionOperation::convert, a_type, cell_type, k, context.isa());
    } else {
        shape.a_type = cell_type;
        shape.a = in_layout(context, a, cell_type, a_order);
        shape.a_index = context.value(a).index;
    }
    return shape;
}

namespace {

kernels::MatmulActivation activation_of(ir::Activation activation) {
    switch (activation) {
        case ir::Activation::none:
            return kernels::MatmulActivation::none;
        case ir::Activation::relu:
            return kernels::MatmulActivation::relu;
        case ir::Activation::gelu:
            return kernels::MatmulActivation::gelu;
        case ir::Activation::gelu_tanh:
            return kernels::MatmulActivation::gelu_tanh;
    }
    __builtin_unreachable();
}

Value contract_product(Context &context, const ir::Node &node, ir::NodeId a, ir::NodeId b) {
    const ir::Contract &own = node.as<ir::Contract>();
    MatmulShape shape = matmul_shape(context, a, b, own.is_packed, ir::contraction_of(node));
    const CellType cell_type = shape.kernel->out();
    shape.activation = activation_of(own.activation);
    if (own.has_bias) {
        shape.bias = context.in_order(node.operands[2], cell_type).cells;
    }
    if (own.is_scaled) {
        const auto floats = [&](std::size_t operand) {
            return context.in_order(node.operands[node.operands.size() - operand], CellType::f32).cells;
        };
        shape.scaling = {floats(4), floats(3), floats(2), floats(1)};
    }
    const auto dimensions =
        *ir::contraction_dimensions(context.type(a), context.type(b), node.as<ir::Contract>().dimensions);
    shape.in_place = !shape.a_index &&
                     are_in_place(context.type(b), context.stage(b), dimensions.indexed, *shape.kernel, shape.rows);
    // Bits that are unpacked as they are read have no value of their own; their addresses are those of the bytes.
    const ir::NodeId with_addresses = bits_read_in_place(context, a).value_or(a);
    if (shape.b_columns) {
        const ir::NodeId both[] = {with_addresses, b};
        const Joined joined = context.addresses().join(both, node.stage);
        const Target to = context.target(node.stage, joined.index, *node.type, cell_type);
        context.add_step<MatmulStep>(node.stage, shape, to);
        return context.converted(context.written(to, cell_type), *node.type, node.type->cell_type());
    }
    const std::vector<std::string> order =
        nontrivial(*node.type, {dimensions.indexed.batch, dimensions.indexed.rows, dimensions.indexed.columns});
    const ir::NodeId rows[] = {with_addresses};
    const IndexSlot index = context.addresses().join(rows, node.stage).index;
    const Target to = context.target(node.stage, index, *node.type, cell_type);
    context.add_step<MatmulStep>(node.stage, shape, to);
    if (std::is_sorted(order.begin(), order.end())) {
        return context.converted(context.written(to, cell_type), *node.type, node.type->cell_type());
    }
    CopyNest nest(byte_size(cell_type), context.isa());
    std::size_t rest = node.type->block_cells();
    for (const std::string &name : order) {
        rest /= cells_of(*node.type, {name});
        nest.add(cells_of(*node.type, {name}), static_cast<std::ptrdiff_t>(stride_of(*node.type, name)),
                 static_cast<std::ptrdiff_t>(rest));
    }
    context.note_use(to.cells);
    std::vector<CopyPart> parts;
    parts.push_back({{to.cells, index ? BlockAccess::same : BlockAccess::dense, {}, to.bytes}, std::move(nest), 0, 0});
    const Target sorted = context.target(node.stage, index, *node.type, cell_type);
    context.add_step<CopyStep>(node.stage, std::move(parts), sorted);
    return context.converted(context.written(sorted, cell_type), *node.type, node.type->cell_type());
}

}  // namespace

bool is_sum_of_rows(Context &context, const ir::Node &node) {
    for (const bool swapped : {false, true}) {
        const ir::NodeId vector = node.operands[swapped ? 1 : 0];
        const ir::NodeId matrix = node.operands[swapped ? 0 : 1];
        const auto dimensions =
            *ir::contraction_dimensions(context.type(vector), context.type(matrix), node.as<ir::Contract>().dimensions);
        if (!dimensions.indexed.rows.empty() || dimensions.indexed.columns.empty() ||
            context.type(vector).has_mapped() || !context.is_needed(matrix) || !context.is_needed(vector)) {
            continue;
        }
        const std::size_t k = cells_of(context.type(vector), dimensions.indexed.summed);
        const kernels::MatmulCells cells =
            matmul_cells(context.value(vector).cell_type, context.value(matrix).cell_type, context.stage(matrix),
                         node.type->cell_type(), k);
        const std::size_t n = cells_of(context.type(matrix), dimensions.indexed.columns);
        return are_in_place(context.type(matrix), context.stage(matrix), dimensions.indexed,
                            *kernels::choose_matmul(cells, k, n, context.isa()), 1);
    }
    return false;
}

Value contract_product(Context &context, const ir::Node &node) {
    if (node.as<ir::Contract>().is_packed) {
        return contract_product(context, node, node.operands[0], node.operands[1]);
    }
    const KernelCosts costs(context.isa());
    const auto [rows, columns] = optimizer::product_operands(context.graph(), node, context.needed(), &costs);
    return contract_product(context, node, rows, columns);
}

}  // namespace tenrex::lower
