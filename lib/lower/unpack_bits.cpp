// Bits as cells.
#include "lib/kernels/convert/convert_kernels.h"
#include "lib/lower/operations.h"
#include "lib/program/move/copy_steps.h"

namespace tenrex::lower {

using namespace program;

Value lower_unpack_bits(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const CellType cell_type = node.type->cell_type();
    const IndexedCells cells = context.in_order(operand, CellType::i8);
    const std::size_t length = context.type(operand).block_cells();
    const BlockUse from{cells.cells, cells.index ? BlockAccess::same : BlockAccess::dense, {}, length};
    const auto operation = node.as<ir::UnpackBits>().lowest_first ? kernels::ConversionOperation::unpack_bits_little
                                                                  : kernels::ConversionOperation::unpack_bits_big;
    // To float if no kernel writes the cell type itself.
    const kernels::ConversionKernel *kernel =
        kernels::choose_conversion(operation, CellType::i8, cell_type, length, context.isa());
    const CellType unpacked = kernel != nullptr ? cell_type : CellType::f32;
    if (kernel == nullptr) {
        kernel = kernels::choose_conversion(operation, CellType::i8, unpacked, length, context.isa());
    }
    const Target to = context.target(node.stage, cells.index, *node.type, unpacked);
    context.add_step<ConvertStep>(node.stage, from, length, kernel, to);
    return context.converted(context.written(to, unpacked), *node.type, cell_type);
}

}  // namespace tenrex::lower
