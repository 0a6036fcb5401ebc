// The ranks of cells.
#include <algorithm>

#include "lib/lower/operations.h"
#include "lib/program/layout.h"
#include "lib/program/library/order_step.h"
#include "lib/types/block_layout.h"

namespace tenrex::lower {

using namespace program;

Value lower_order(Context &context, const ir::Node &node) {
    const ir::NodeId operand = node.operands[0];
    const IndexedCells cells = context.in_order(operand, CellType::f64);
    const BlockUse from{cells.cells,
                        cells.index ? BlockAccess::same : BlockAccess::dense,
                        {},
                        node.type->block_cells() * sizeof(double)};
    const std::vector<std::string> &ranked_over = node.as<ir::Order>().dimensions;
    const auto is_ranked = [&](const std::string &name) {
        return std::find(ranked_over.begin(), ranked_over.end(), name) != ranked_over.end();
    };
    LoopNest<1> inside, outside;
    std::vector<std::uint16_t> ranked, others;
    for (const Dimension &dimension : node.type->dimensions()) {
        if (dimension.is_mapped()) {
            (is_ranked(dimension.name) ? ranked : others).push_back(label_position(*node.type, dimension.name));
        } else {
            const auto stride = static_cast<std::ptrdiff_t>(stride_of(*node.type, dimension.name));
            (is_ranked(dimension.name) ? inside : outside).add(dimension.size, {stride});
        }
    }
    const std::size_t width = node.type->mapped_count();
    MapSlot groups;
    if (!others.empty()) {
        groups = context.addresses().grouped(cells.index, width, std::move(others)).second;
    }
    const Target to = context.target(node.stage, cells.index, *node.type, CellType::f64);
    context.add_step<OrderStep>(node.stage, from, cells.index, width, groups, std::move(ranked), std::move(outside),
                                std::move(inside), node.as<ir::Order>().ascending, node.as<ir::Order>().by_number, to);
    return context.converted(context.written(to, CellType::f64), *node.type, node.type->cell_type());
}

}  // namespace tenrex::lower
