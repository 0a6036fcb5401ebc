#include "lib/ir/schedule.h"

#include <cstddef>

namespace tenrex::ir {

std::vector<NodeId> schedule(const Graph &graph) {
    enum class State : std::uint8_t { unseen, waiting, done };
    std::vector<State> states(graph.size(), State::unseen);
    std::vector<NodeId> order, stack;
    order.reserve(graph.size());
    for (const GraphOutput &output : graph.outputs()) {
        stack.push_back(output.node);
        while (!stack.empty()) {
            const NodeId id = stack.back();
            if (states[id] == State::unseen) {
                states[id] = State::waiting;
                const std::span<const NodeId> operands = graph[id].operands;
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
