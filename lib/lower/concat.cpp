// Two values one after the other.
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/move/copy_steps.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value lower_concat(Context &context, const ir::Node &node) {
    const std::string &along = node.as<ir::Concat>().dimension;
    const CellType cell_type = node.type->cell_type();
    const Joined joined = context.addresses().join(node.operands, node.stage);
    std::vector<CopyPart> parts;
    std::size_t first = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const TensorType &source = context.type(node.operands[i]);
        const auto found = source.find(along);
        const std::size_t size = found ? source.dimensions()[*found].size : 1;
        const CellType storage = cell_type;
        CopyNest nest(byte_size(storage), context.isa());
        for (const Dimension &dimension : node.type->dimensions()) {
            if (dimension.is_indexed()) {
                nest.add(dimension.name == along ? size : dimension.size,
                         static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                         static_cast<std::ptrdiff_t>(stride_of(source, dimension.name)));
            }
        }
        parts.push_back({context.use(node.operands[i], storage, joined.operands[i]), std::move(nest), 0,
                         first * stride_of(*node.type, along) * byte_size(storage)});
        first += size;
    }
    const Target to = context.target(node.stage, joined.index, *node.type, cell_type);
    context.add_step<CopyStep>(node.stage, std::move(parts), to);
    return context.written(to, cell_type);
}

}  // namespace tenrex::lower
