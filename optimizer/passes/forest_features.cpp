// A forest takes its features from where they were before they were packed into a row of features. Numbers that the row
// rounds to float stay as they are if the forest rounds them itself.
#include <algorithm>

#include "lib/forest/forest.h"
#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// Which operand of the pack has been put where the peek looks; nothing if no operand or more than one is there.
std::optional<ir::NodeId> packed_at(const ir::Node &packed, const ir::Peek &peek) {
    const ir::Pack &pack = packed.as<ir::Pack>();
    std::vector<std::string> address;
    std::uint64_t index = 0;
    for (const Dimension &dimension : pack.dimensions) {
        const auto part = std::find_if(peek.parts.begin(), peek.parts.end(),
                                       [&](const ir::PeekPart &each) { return each.dimension == dimension.name; });
        if (part == peek.parts.end() || part->computed != 0) {
            return std::nullopt;
        }
        if (dimension.is_mapped()) {
            address.push_back(part->label);
        } else if (part->index < dimension.size) {
            index = index * dimension.size + part->index;
        } else {
            return std::nullopt;
        }
    }
    std::optional<ir::NodeId> found;
    for (std::size_t i = 0; i < pack.cells.size(); ++i) {
        if (pack.cells[i].index == index && pack.addresses[pack.cells[i].block] == address) {
            if (found) {
                return std::nullopt;
            }
            found = packed.operands[i];
        }
    }
    return found;
}

// The number that the forest may take in place of the feature, which may be itself.
ir::NodeId before_packing(const ir::Graph &graph, ir::NodeId feature, bool rounds_to_float) {
    const ir::Node &peek = graph[feature];
    if (peek.op != ir::Op::peek || graph[peek.operands[0]].op != ir::Op::pack) {
        return feature;
    }
    const ir::Node &packed = graph[peek.operands[0]];
    const CellType cells = packed.type->cell_type();
    const auto number = packed_at(packed, peek.as<ir::Peek>());
    const bool keeps_number = cells == CellType::f64 || (cells == CellType::f32 && rounds_to_float);
    return number && keeps_number && graph[*number].type->is_scalar() ? *number : feature;
}

}  // namespace

void forest_features(ir::Graph &graph, PassRun &run) {
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        if (graph[id].op != ir::Op::forest) {
            return std::nullopt;
        }
        const ir::Forest &forest = graph[id].as<ir::Forest>();
        std::vector<ir::NodeId> features(operands.begin(), operands.end());
        for (std::size_t i = 0; i + (forest.has_base ? 1 : 0) < features.size(); ++i) {
            features[i] = before_packing(graph, features[i], forest.forest->float_features);
        }
        if (std::equal(features.begin(), features.end(), operands.begin())) {
            return std::nullopt;
        }
        return graph.with_operands(id, features);
    });
}

}  // namespace tenrex::optimizer
