// A vector that is put together from scalars by nested concatenations is packed at once.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "optimizer/passes/passes.h"
#include "optimizer/rewrite.h"

namespace tenrex::optimizer {

namespace {

// Whether each cell of the vector is given by a scalar, and by one only.
bool is_packed_from_scalars(const ir::Graph &graph, const ir::Node &node) {
    if (node.op != ir::Op::pack || node.operands.size() != node.type->block_cells() ||
        !graph[node.operands[0]].type->is_scalar()) {
        return false;
    }
    std::vector<bool> given(node.operands.size());
    for (const auto &cell : node.as<ir::Pack>().cells) {
        if (given[cell.index]) {
            return false;
        }
        given[cell.index] = true;
    }
    return true;
}

// What a concatenation is.
enum class Part : std::uint8_t {
    other,
    vector,  // put together from scalars
    inner,   // the same, and part of one such vector only: it need not be packed itself
};

std::vector<Part> parts_of(const ir::Graph &graph, std::span<const std::uint32_t> uses) {
    std::vector<Part> parts(uses.size(), Part::other);
    for (ir::NodeId id = 0; id < uses.size(); ++id) {
        const ir::Node &node = graph[id];
        if (uses[id] == 0 || node.op != ir::Op::concat || node.type->dimensions().size() != 1) {
            continue;
        }
        const bool is_vector = std::all_of(node.operands.begin(), node.operands.end(), [&](ir::NodeId operand) {
            const TensorType &type = *graph[operand].type;
            return type.is_scalar() ||
                   (type.cell_type() == node.type->cell_type() && type.dimensions().size() == 1 &&
                    type.dimensions()[0].name == node.type->dimensions()[0].name &&
                    (parts[operand] != Part::other || is_packed_from_scalars(graph, graph[operand])));
        });
        if (is_vector) {
            parts[id] = Part::vector;
            for (const ir::NodeId operand : node.operands) {
                if (parts[operand] == Part::vector && uses[operand] == 1) {
                    parts[operand] = Part::inner;
                }
            }
        }
    }
    return parts;
}

// The scalars of a vector, or of what it is put together from, in the order of its cells.
std::vector<ir::NodeId> scalars_of(const ir::Graph &graph, std::span<const ir::NodeId> operands) {
    std::vector<ir::NodeId> scalars;
    std::vector<ir::NodeId> left(operands.rbegin(), operands.rend());
    while (!left.empty()) {
        const ir::NodeId id = left.back();
        const ir::Node &node = graph[id];
        left.pop_back();
        if (node.type->is_scalar()) {
            scalars.push_back(id);
        } else if (node.op == ir::Op::concat) {
            left.insert(left.end(), node.operands.rbegin(), node.operands.rend());
        } else {
            const std::size_t first = scalars.size();
            scalars.resize(first + node.operands.size());
            for (std::size_t i = 0; i < node.operands.size(); ++i) {
                scalars[first + node.as<ir::Pack>().cells[i].index] = node.operands[i];
            }
        }
    }
    return scalars;
}

}  // namespace

void pack_scalars(ir::Graph &graph, PassRun &run) {
    const std::vector<Part> parts = parts_of(graph, run.uses);
    rewrite(graph, run.uses, [&](ir::NodeId id, std::span<const ir::NodeId> operands) -> std::optional<ir::NodeId> {
        if (parts[id] != Part::vector) {
            return std::nullopt;
        }
        const ir::Node node = graph[id];
        const std::vector<ir::NodeId> scalars = scalars_of(graph, operands);
        ir::Pack pack;
        pack.dimensions = node.type->dimensions();
        pack.addresses.emplace_back();
        for (std::size_t i = 0; i < scalars.size(); ++i) {
            pack.cells.push_back({0, i});
        }
        return graph.add(ir::Op::pack, *node.type, scalars, std::move(pack), node.span);
    });
}

}  // namespace tenrex::optimizer
