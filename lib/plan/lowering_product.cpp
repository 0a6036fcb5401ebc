// Products of matrices.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/plan/copy_steps.h"
#include "lib/plan/lowering.h"
#include "lib/plan/matmul_steps.h"

namespace tenrex::plan {

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

}  // namespace

kernels::MatmulCells Lowering::matmul_cells(ir::NodeId a, ir::NodeId b, CellType result, std::size_t k) const {
    const bool is_bits = !needed_[a] && packed_bits(a);
    const CellType a_type = is_bits ? CellType::f32 : values_[a].cell_type;
    const CellType widened = ir::multiplied_in(a_type, values_[b].cell_type, k);
    // As they are stored if the products are rounded to float cells anyway. What each document brings is packed faster
    // once it is widened.
    const bool as_stored = a_type == values_[b].cell_type && stage(b) != Stage::document && result != CellType::f64;
    return {widened, as_stored ? a_type : widened};
}

// Rows are those of `a`; the caller has seen to it that `b` has no addresses, or nothing but columns with addresses.
MatmulShape Lowering::matmul_shape(ir::NodeId a, ir::NodeId b, const ir::Contraction &contraction) {
    const ir::ContractionDimensions dimensions = *ir::contraction_dimensions(type(a), type(b), contraction.dimensions);
    const auto &indexed = dimensions.indexed;
    MatmulShape shape;
    shape.b.batch = cells_of(type(a), indexed.batch);
    shape.b.k = cells_of(type(a), indexed.summed);
    shape.b.n = cells_of(type(b), indexed.columns);
    shape.rows = cells_of(type(a), indexed.rows);
    shape.a_row_cells = shape.b.k;
    const std::optional<ir::NodeId> bits = needed_[a] ? std::nullopt : packed_bits(a);
    const CellType a_type = bits ? CellType::f32 : values_[a].cell_type;
    if (type(b).has_mapped()) {
        shape.b_columns = values_[b].index;
    }
    shape.cells = matmul_cells(a, b, contraction.cell_type, shape.b.k);
    shape.kernel = kernels::choose_matmul(shape.cells, shape.b.k, shape.expected_columns(), isa_);
    const CellType cell_type = shape.kernel->type;

    const std::vector<std::string> a_order = nontrivial(type(a), {indexed.batch, indexed.rows, indexed.summed});
    if (bits) {  // which reads_bits() allows only beside operands that are not double
        shape.a_type = CellType::i8;
        const IndexedCells cells = in_order(*bits, CellType::i8);
        shape.a = cells.cells;
        shape.a_index = cells.index;
        shape.a_row_cells = shape.b.k / 8;
        shape.convert = kernels::choose_conversion(graph_[a].as<ir::UnpackBits>().lowest_first
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
    if (shape.b_columns) {
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
        ir::contraction_dimensions(type(a), type(b), node.as<ir::Contract>().dimensions)->indexed;
    const std::size_t k = cells_of(type(a), summed);
    const std::size_t n = cells_of(type(b), column_names);
    const std::size_t rows = cells_of(type(a), batch) * cells_of(type(a), row_names);
    const kernels::MatmulCells cells = matmul_cells(a, b, node.type->cell_type(), k);
    const kernels::MatmulKernel &kernel = *kernels::choose_matmul(cells, k, n, isa_);
    double cost = static_cast<double>(rows) * matmul_cost(kernel, cells, k, n, isa_);
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
    if (node.as<ir::Contract>().has_bias) {
        return product(node, node.operands[0], node.operands[1]);
    }
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
    return product(node, a, b);
}

Value Lowering::product(const ir::Node &node, ir::NodeId a, ir::NodeId b) {
    const ir::Contract &own = node.as<ir::Contract>();
    MatmulShape shape = matmul_shape(a, b, ir::contraction_of(node));
    const CellType cell_type = shape.kernel->out();
    shape.activation =
        own.activation == ir::Activation::relu ? kernels::MatmulActivation::relu : kernels::MatmulActivation::none;
    if (own.has_bias) {
        shape.bias = in_order(node.operands[2], cell_type).cells;
    }
    // Bits that are unpacked as they are read have no value of their own; their addresses are those of the bytes.
    const ir::NodeId with_addresses = needed_[a] ? a : packed_bits(a).value_or(a);
    if (shape.b_columns) {
        const ir::NodeId both[] = {with_addresses, b};
        const Joined joined = join(both, node.stage);
        const Target to = target(node.stage, joined.index, *node.type, cell_type);
        add_step<MatmulStep>(node.stage, shape, to);
        return converted(written(to, cell_type), *node.type, node.type->cell_type());
    }
    const auto dimensions = *ir::contraction_dimensions(type(a), type(b), node.as<ir::Contract>().dimensions);
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

}  // namespace tenrex::plan
