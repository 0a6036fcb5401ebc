#include "lib/ir/schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tenrex::ir {

namespace {

// Puts the operands in the order in which they are computed.
void order_operands(const Graph &graph, NodeId id, const std::vector<std::uint32_t> &needs,
                    std::vector<NodeId> &operands) {
    operands.assign(graph[id].operands.begin(), graph[id].operands.end());
    const auto comes_first = [&](NodeId a, NodeId b) { return needs[a] > needs[b]; };
    if (std::is_sorted(operands.begin(), operands.end(), comes_first)) {
        return;
    }
    // Sorting takes memory, and most operations have few operands.
    constexpr std::size_t few = 8;
    if (operands.size() > few) {
        std::stable_sort(operands.begin(), operands.end(), comes_first);
        return;
    }
    for (auto operand = operands.begin(); operand != operands.end(); ++operand) {
        std::rotate(std::upper_bound(operands.begin(), operand, *operand, comes_first), operand, operand + 1);
    }
}

// How many values are kept at a time while each node is computed, if nothing is read twice. Inputs and constants are
// there anyway.
std::vector<std::uint32_t> values_needed(const Graph &graph) {
    std::vector<std::uint32_t> needs(graph.size(), 0);
    std::vector<NodeId> operands;
    for (NodeId id = 0; id < graph.size(); ++id) {
        order_operands(graph, id, needs, operands);
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
    std::vector<NodeId> order, stack, operands;
    order.reserve(graph.size());
    stack.reserve(graph.size());
    for (const GraphOutput &output : graph.outputs()) {
        stack.push_back(output.node);
        while (!stack.empty()) {
            const NodeId id = stack.back();
            if (states[id] == State::unseen) {
                states[id] = State::waiting;
                order_operands(graph, id, needs, operands);
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
