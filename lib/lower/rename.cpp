// Other names for dimensions.
#include <algorithm>

#include "lib/lower/block_part.h"
#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/sparse/index_steps.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value lower_rename(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const std::vector<std::string> &from = node.as<ir::Rename>().from;
    const std::vector<std::string> &to = node.as<ir::Rename>().to;
    const auto old_name = [&](const std::string &name) {
        const auto found = std::find(to.begin(), to.end(), name);
        return found == to.end() ? name : from[static_cast<std::size_t>(found - to.begin())];
    };
    std::vector<std::uint16_t> positions;
    CopyNest nest(byte_size(context.value(operand).cell_type), context.isa());
    for (const Dimension &dimension : node.type->dimensions()) {
        const std::string old = old_name(dimension.name);
        if (dimension.is_mapped()) {
            positions.push_back(label_position(context.type(operand), old));
        } else {
            nest.add(dimension.size, static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name)),
                     static_cast<std::ptrdiff_t>(stride_of(context.type(operand), old)));
        }
    }
    IndexSlot index = context.value(operand).index;
    if (!std::is_sorted(positions.begin(), positions.end())) {
        const IndexSlot permuted = context.new_index(index.stage);
        context.add_step<PermuteIndexStep>(index.stage, index, std::move(positions), permuted);
        index = permuted;
    }
    return part_of_block(context, operand, index, node, std::move(nest), 0);
}

}  // namespace tenrex::lower
