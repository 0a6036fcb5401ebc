#include "lib/ir/schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tenrex::ir {

namespace {

// Most operations have few operands.
constexpr std::size_t few = 8;

// The operands in the order in which they are computed: as they are, or in `room`.
std::span<const NodeId> ordered_operands(const Graph &graph, NodeId id, const std::vector<std::uint32_t> &needs,
                                         std::vector<NodeId> &room) {
    const std::span<const NodeId> operands = graph[id].operands;
    if (operands.size() < 2) {
        return operands;
    }
    const auto comes_first = [&](NodeId a, NodeId b) { return needs[a] > needs[b]; };
    if (std::is_sorted(operands.begin(), operands.end(), comes_first)) {
        return operands;
    }
    room.assign(operands.begin(), operands.end());
    // Sorting many takes memory.
    if (room.size() > few) {
        std::stable_sort(room.begin(), room.end(), comes_first);
        return room;
    }
    for (auto operand = room.begin(); operand != room.end(); ++operand) {
        std::rotate(std::upper_bound(room.begin(), operand, *operand, comes_first), operand, operand + 1);
    }
    return room;
}

// By node: whether an output needs it.
std::vector<bool> reached_nodes(const Graph &graph) {
    std::vector<bool> reached(graph.size());
    for (const GraphOutput &output : graph.outputs()) {
        reached[output.node] = true;
    }
    for (auto id = static_cast<NodeId>(graph.size()); id-- > 0;) {
        if (reached[id]) {
            for (const NodeId operand : graph[id].operands) {
                reached[operand] = true;
            }
        }
    }
    return reached;
}

// How many values are kept at a time while each node is computed, if nothing is read twice. Inputs and constants are
// there anyway.
std::vector<std::uint32_t> values_needed(const Graph &graph) {
    std::vector<std::uint32_t> needs(graph.size(), 0);
    std::vector<NodeId> room;
    room.reserve(few);
    const std::vector<bool> reached = reached_nodes(graph);
    for (NodeId id = 0; id < graph.size(); ++id) {
        if (!reached[id]) {
            continue;
        }
        const std::span<const NodeId> operands = ordered_operands(graph, id, needs, room);
        std::uint32_t kept = 0;
        for (const NodeId operand : operands) {
            needs[id] = std::max(needs[id], needs[operand] + kept);
            kept += needs[operand] != 0 ? 1 : 0;
        }
        needs[id] = operands.empty() ? 0 : std::max(needs[id], std::uint32_t{1});
    }
    return needs;
}

}  // namespace

std::vector<NodeId> schedule(const Graph &graph) {
    enum class State : std::uint8_t { unseen, waiting, done };
    const std::vector<std::uint32_t> needs = values_needed(graph);
    std::vector<State> states(graph.size(), State::unseen);
    std::vector<NodeId> order, stack, room;
    order.reserve(graph.size());
    stack.reserve(graph.size());
    room.reserve(few);
    for (const GraphOutput &output : graph.outputs()) {
        stack.push_back(output.node);
        while (!stack.empty()) {
            const NodeId id = stack.back();
            if (states[id] == State::unseen) {
                states[id] = State::waiting;
                const std::span<const NodeId> operands = ordered_operands(graph, id, needs, room);
                for (std::size_t i = operands.size(); i-- > 0;) {
                    if (states[operands[i]] == State::unseen) {
                        stack.push_back(operands[i]);
                    }
                }
                continue;
            }
            stack.pop_back();
            if (states[id] == State::waiting) {
                states[id] = State::done;
                order.push_back(id);
            }
        }
    }
    return order;
}

}  // namespace tenrex::ir
