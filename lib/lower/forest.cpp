// Decision forests. What is known before the documents takes its splits out of the trees.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "lib/lower/operations.h"
#include "lib/program/forest/forest_steps.h"

namespace tenrex::lower {

using namespace program;

Value lower_forest(Context &context, const ir::Node &node) {
    const ir::Forest &own = node.as<ir::Forest>();
    ForestOperands operands;
    std::vector<bool> is_known;
    Stage known = Stage::constant;
    const std::size_t count = node.operands.size() - (own.has_base ? 1 : 0);
    if (own.has_base) {
        operands.base = context.own_use(node.operands.back(), CellType::f64);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const TensorType &type = context.type(node.operands[i]);
        const CellType cell_type = type.cell_type() == CellType::f64 ? CellType::f64 : CellType::f32;
        operands.uses.push_back(context.own_use(node.operands[i], cell_type));
        const Stage stage = context.stage(node.operands[i]);
        known = stage != node.stage ? std::max(known, stage) : known;
        for (std::size_t cell = 0; cell < type.block_cells(); ++cell) {
            operands.sources.push_back({i, static_cast<std::uint32_t>(cell * byte_size(cell_type)), cell_type});
            is_known.push_back(stage != node.stage);
        }
    }
    operands.forest = std::make_shared<const PackedForest>(own.forest, operands.sources, context.isa());
    const Target to = context.target(node.stage, {}, *node.type, CellType::f64);
    if (std::find(is_known.begin(), is_known.end(), true) == is_known.end()) {
        context.add_step<ForestStep>(node.stage, std::move(operands), to);
    } else {
        const TilesSlot trees{known, context.shape(known).tiles++};
        context.add_step<ForestPruneStep>(known, operands, std::move(is_known), trees);
        context.add_step<ForestStep>(node.stage, std::move(operands), to, trees);
    }
    return context.converted(context.written(to, CellType::f64), *node.type, node.type->cell_type());
}

}  // namespace tenrex::lower
