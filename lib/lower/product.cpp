// Products of matrices.
#include "lib/lower/product.h"

#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/kernels/convert/convert_kernels.h"
#include "lib/kernels/matmul/matmul_kernels.h"
#include "lib/lower/context.h"
#include "lib/lower/packed_bits.h"
#include "lib/lower/permuted.h"
#include "lib/program/layout.h"
#include "lib/program/library/matmul_steps.h"
#include "lib/program/move/copy_steps.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

namespace {

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

kernels::MatmulCells matmul_cells(const Context &context, ir::NodeId a, ir::NodeId b, CellType result, std::size_t k) {
    const bool is_bits = bits_read_in_place(context, a).has_value();
    const CellType a_type = is_bits ? CellType::f32 : context.value(a).cell_type;
    const CellType widened = ir::multiplied_in(a_type, context.value(b).cell_type, k);
    // As they are stored if the products are rounded to float cells anyway. What each document brings is packed faster
    // once it is widened.
    const bool as_stored =
        a_type == context.value(b).cell_type && context.stage(b) != Stage::document && result != CellType::f64;
    return {widened, as_stored ? a_type : widened};
}

}  // namespace

MatmulShape matmul_shape(Context &context, ir::NodeId a, ir::NodeId b, const ir::Contraction &contraction) {
    const ir::ContractionDimensions dimensions =
        *ir::contraction_dimensions(context.type(a), context.type(b), contraction.dimensions);
    const auto &indexed = dimensions.indexed;
    MatmulShape shape;
    shape.b.batch = cells_of(context.type(a), indexed.batch);
    shape.b.k = cells_of(context.type(a), indexed.summed);
    shape.b.n = cells_of(context.type(b), indexed.columns);
    shape.rows = cells_of(context.type(a), indexed.rows);
    shape.a_row_cells = shape.b.k;
    const std::optional<ir::NodeId> bits = bits_read_in_place(context, a);
    const CellType a_type = bits ? CellType::f32 : context.value(a).cell_type;
    if (context.type(b).has_mapped()) {
        shape.b_columns = context.value(b).index;
    }
    shape.cells = matmul_cells(context, a, b, contraction.cell_type, shape.b.k);
    shape.kernel = kernels::choose_matmul(shape.cells, shape.b.k, shape.expected_columns(), context.isa());
    const CellType cell_type = shape.kernel->type;

    const std::vector<std::string> a_order = nontrivial(context.type(a), {indexed.batch, indexed.rows, indexed.summed});
    if (bits) {  // which reads_bits(context) allows only beside operands that are not double
        shape.a_type = CellType::i8;
        const IndexedCells cells = context.in_order(*bits, CellType::i8);
        shape.a = cells.cells;
        shape.a_index = cells.index;
        shape.a_row_cells = shape.b.k / 8;
        shape.convert = kernels::choose_conversion(context.graph()[a].as<ir::UnpackBits>().lowest_first
                                                       ? kernels::ConversionOperation::unpack_bits_little
                                                       : kernels::ConversionOperation::unpack_bits_big,
                                                   CellType::i8, cell_type, shape.a_row_cells, context.isa());
    } else if (std::is_sorted(a_order.begin(), a_order.end()) && a_type != cell_type) {
        shape.a_type = a_type;
        const IndexedCells cells = context.in_order(a, a_type);
        shape.a = cells.cells;
        shape.a_index = cells.index;
        shape.convert = kernels::choose_conversion(kernels::ConversionOperation::convert, a_type, cell_type, shape.b.k,
                                                   context.isa());
    } else {
        shape.a_type = cell_type;
        shape.a = in_layout(context, a, cell_type, a_order);
        shape.a_index = context.value(a).index;
    }

    const std::optional<std::ptrdiff_t> batch = common_stride(context.type(b), indexed.batch);
    const std::optional<std::ptrdiff_t> k = common_stride(context.type(b), indexed.summed);
    const std::optional<std::ptrdiff_t> n = common_stride(context.type(b), indexed.columns);
    CellsSlot matrix;
    if (batch && k && n) {
        matrix = context.in_order(b, cell_type).cells;
        shape.b.batch_stride = *batch;
        shape.b.k_stride = *k;
        shape.b.n_stride = *n;
    } else {
        matrix = in_layout(context, b, cell_type,
                           nontrivial(context.type(b), {indexed.batch, indexed.summed, indexed.columns}));
        shape.b.batch_stride = static_cast<std::ptrdiff_t>(shape.b.k * shape.b.n);
        shape.b.k_stride = static_cast<std::ptrdiff_t>(shape.b.n);
        shape.b.n_stride = 1;
    }
    if (shape.b_columns) {
        shape.b.k_stride = 1;
        shape.b.n_stride = static_cast<std::ptrdiff_t>(shape.b.k);
    }
    if (context.stage(b) == Stage::document) {
        shape.unpacked = matrix;
    } else {
        shape.packed = context.new_cells(context.stage(b));
        context.add_step<PackMatrixStep>(context.stage(b), matrix, shape.b_columns, shape.b, shape.kernel,
                                         shape.packed);
    }
    return shape;
}

namespace {

// For more rows a document's columns are packed, which many tiles read faster.
constexpr std::size_t few_rows = 32;

// Whether the kernel reads the columns of b where they are.
bool are_in_place(const Context &context, ir::NodeId b, const ir::ContractionDimensions &dimensions,
                  const kernels::MatmulKernel &kernel, std::size_t rows) {
    const TensorType &type = context.type(b);
    const auto &[summed, batch, row_names, column_names] = dimensions.indexed;
    return context.stage(b) == Stage::document && !type.has_mapped() && rows <= few_rows && kernel.k_tile == 1 &&
           cells_of(type, column_names) % kernel.column_tile == 0 && common_stride(type, batch) &&
           common_stride(type, summed) && common_stride(type, column_names) == 1;
}

double product_cost(const Context &context, ir::NodeId a, ir::NodeId b, const ir::Node &node) {
    constexpr double copied_cell = 0.15;  // nanoseconds, as are the costs of the kernels
    constexpr double call = 15;
    const auto dimensions =
        *ir::contraction_dimensions(context.type(a), context.type(b), node.as<ir::Contract>().dimensions);
    const auto &[summed, batch, row_names, column_names] = dimensions.indexed;
    const std::size_t k = cells_of(context.type(a), summed);
    const std::size_t n = cells_of(context.type(b), column_names);
    const std::size_t rows = cells_of(context.type(a), batch) * cells_of(context.type(a), row_names);
    const kernels::MatmulCells cells = matmul_cells(context, a, b, node.type->cell_type(), k);
    const kernels::MatmulKernel &kernel = *kernels::choose_matmul(cells, k, n, context.isa());
    double cost = static_cast<double>(rows) * matmul_cost(kernel, cells, k, n, context.isa());
    const std::vector<std::string> a_order = nontrivial(context.type(a), {batch, row_names, summed});
    if (context.stage(a) == Stage::document && !std::is_sorted(a_order.begin(), a_order.end())) {
        cost += copied_cell * static_cast<double>(context.type(a).block_cells());
    }
    if (context.stage(b) == Stage::document &&
        !are_in_place(context, b, dimensions, kernel, cells_of(context.type(a), row_names))) {
        const bool in_place = common_stride(context.type(b), batch) && common_stride(context.type(b), summed) &&
                              common_stride(context.type(b), column_names);
        cost += call + (in_place ? 1 : 2) * copied_cell * static_cast<double>(context.type(b).block_cells());
    }
    const std::vector<std::string> order = nontrivial(*node.type, {batch, row_names, column_names});
    const bool is_sorted = std::is_sorted(order.begin(), order.end());
    return cost + (is_sorted ? 0 : copied_cell * static_cast<double>(node.type->block_cells()));
}

Value contract_product(Context &context, const ir::Node &node, ir::NodeId a, ir::NodeId b) {
    const ir::Contract &own = node.as<ir::Contract>();
    MatmulShape shape = matmul_shape(context, a, b, ir::contraction_of(node));
    const CellType cell_type = shape.kernel->out();
    shape.activation =
        own.activation == ir::Activation::relu ? kernels::MatmulActivation::relu : kernels::MatmulActivation::none;
    if (own.has_bias) {
        shape.bias = context.in_order(node.operands[2], cell_type).cells;
    }
    const auto dimensions =
        *ir::contraction_dimensions(context.type(a), context.type(b), node.as<ir::Contract>().dimensions);
    shape.in_place = !shape.a_index && are_in_place(context, b, dimensions, *shape.kernel, shape.rows);
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
    CopyNest nest(byte_size(cell_type));
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
        const kernels::MatmulCells cells = matmul_cells(context, vector, matrix, node.type->cell_type(), k);
        const std::size_t n = cells_of(context.type(matrix), dimensions.indexed.columns);
        return are_in_place(context, matrix, dimensions, *kernels::choose_matmul(cells, k, n, context.isa()), 1);
    }
    return false;
}

Value contract_product(Context &context, const ir::Node &node) {
    if (node.as<ir::Contract>().has_bias) {
        return contract_product(context, node, node.operands[0], node.operands[1]);
    }
    ir::NodeId a = node.operands[0];
    ir::NodeId b = node.operands[1];
    // The side with addresses, or else the documents' side, has the rows: the other's columns are packed once.
    const bool keeps =
        context.type(a).has_mapped() || (!context.type(b).has_mapped() && context.stage(a) >= context.stage(b));
    if (!keeps ||
        (context.type(a).has_mapped() && context.type(b).has_mapped() && context.stage(a) < context.stage(b))) {
        std::swap(a, b);
    }
    // Of dense operands either may, as their order and that of the result want it; bits are unpacked as rows alone.
    const bool are_free =
        !context.type(a).has_mapped() && !context.type(b).has_mapped() && context.is_needed(a) && context.is_needed(b);
    if (are_free && node.stage == Stage::document &&
        product_cost(context, b, a, node) < product_cost(context, a, b, node)) {
        std::swap(a, b);
    }
    return contract_product(context, node, a, b);
}

}  // namespace tenrex::lower
