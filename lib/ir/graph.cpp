#include "lib/ir/graph.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "lib/ir/hash_mix.h"
#include "lib/ir/index_vector.h"
#include "lib/types/derived_type.h"

namespace tenrex::ir {

namespace {

// Payloads that many nodes have, as every comparison of a tree has the same and every region an input 0.
const Payload no_payload;
const Payload even_choice{Choice{}};

template <std::size_t... numbers>
std::array<Payload, sizeof...(numbers)> make_applications(std::index_sequence<numbers...>) {
    return {Apply{scalar_function_table[numbers].id}...};
}
template <std::size_t... numbers>
std::array<Payload, sizeof...(numbers)> make_inputs(std::index_sequence<numbers...>) {
    return {Input{numbers}...};
}

// The payload that all graphs share, or null.
const Payload *common_payload(const Payload &payload) {
    if (const auto *const apply = std::get_if<Apply>(&payload)) {
        static const auto applications =
            make_applications(std::make_index_sequence<std::size(scalar_function_table)>());
        return &applications[static_cast<std::size_t>(apply->function)];
    }
    if (const auto *const input = std::get_if<Input>(&payload)) {
        constexpr std::size_t few = 16;
        static const auto inputs = make_inputs(std::make_index_sequence<few>());
        return input->index < few ? &inputs[input->index] : nullptr;
    }
    if (const auto *const choice = std::get_if<Choice>(&payload)) {
        return *choice == Choice{} ? &even_choice : nullptr;
    }
    return std::holds_alternative<NoPayload>(payload) ? &no_payload : nullptr;
}

}  // namespace

std::uint32_t Graph::add_input(GraphInput input) {
    inputs_.push_back(std::move(input));
    return static_cast<std::uint32_t>(inputs_.size() - 1);
}

const TensorType *Graph::intern(const TensorType &type) {
    // Nodes that are added one after the other often have the same type.
    return !nodes_.empty() && *nodes_.back().type == type ? nodes_.back().type : types_->intern(type);
}

Result<NodeId> Graph::add(Op op, CellType cell_type, std::span<const NodeId> operands, const Limits &limits,
                          Payload &&payload, Span span) {
    std::pmr::vector<const TensorType *> &operand_types = types_->operand_types();
    for (const NodeId operand : operands) {
        operand_types.push_back(nodes_[operand].type);
    }
    const Result<const TensorType *> type = types_->inferred(op, cell_type, operand_types, payload, limits);
    if (!type) {
        return type.error();
    }
    return add_node(op, *type, true, operands, std::move(payload), span);
}

NodeId Graph::add(Op op, CellType cell_type, std::span<const NodeId> operands, Payload payload, Span span) {
    const Result<NodeId> node = add(op, cell_type, operands, no_limits(), std::move(payload), span);
    if (!node) {
        throw std::length_error(node.error().message());
    }
    return *node;
}

NodeId Graph::add(Op op, const TensorType &type, std::span<const NodeId> operands, Payload payload, Span span) {
    return add_node(op, intern(type), false, operands, std::move(payload), span);
}

NodeId Graph::add_like(const Graph &source, NodeId id, std::span<const NodeId> operands) {
    const Node &node = source[id];
    const TensorType *const type = source.types_ == types_ ? node.type : intern(*node.type);
    return add_node(node.op, type, node.type_follows, operands, Payload(*node.payload), node.span);
}

std::uint32_t Graph::prepare(Node &node) const {
    node.stage = node.op == Op::input ? inputs_[node.as<Input>().index].stage : Stage::constant;
    std::size_t hash = hash_of(*node.payload);
    mix(hash, static_cast<std::size_t>(node.op));
    mix(hash, reinterpret_cast<std::size_t>(node.type));
    for (NodeId operand : node.operands) {
        node.stage = std::max(node.stage, nodes_[operand].stage);
        mix(hash, operand);
    }
    return folded(hash);
}

std::optional<NodeId> Graph::find(const Node &node, std::uint32_t hash) const {
    return node_index_.find(hash, [&](NodeId id) {
        const Node &other = nodes_[id];
        return other.op == node.op && other.type == node.type &&
               std::equal(node.operands.begin(), node.operands.end(), other.operands.begin(), other.operands.end()) &&
               (other.payload == node.payload || *other.payload == *node.payload);
    });
}

NodeId Graph::insert(Node node, std::uint32_t hash) {
    node.operands = operands_.copy(node.operands);
    nodes_.push_back(node);
    const auto id = static_cast<NodeId>(nodes_.size() - 1);
    node_index_.add(hash, id);
    return id;
}

NodeId Graph::add_node(Op op, const TensorType *type, bool type_follows, std::span<const NodeId> operands,
                       Payload &&payload, Span span) {
    const Payload *const common = common_payload(payload);
    Node node{op, Stage::constant, false, type_follows, type, operands, common != nullptr ? common : &payload, span};
    const std::uint32_t hash = prepare(node);
    if (const std::optional<NodeId> known = find(node, hash)) {
        return *known;
    }
    if (common == nullptr) {
        const auto *const constant = std::get_if<Constant>(&payload);
        node.holds_indexes = constant != nullptr && constant->value && holds_indexes(*constant->value);
        node.payload = &payloads_.emplace_back(std::move(payload));
    }
    return insert(node, hash);
}

NodeId Graph::with_operands(NodeId id, std::span<const NodeId> operands) {
    Node node = nodes_[id];
    const auto has_same_type = [&](NodeId a, NodeId b) { return nodes_[a].type == nodes_[b].type; };
    node.type_follows &=
        std::equal(operands.begin(), operands.end(), node.operands.begin(), node.operands.end(), has_same_type);
    node.operands = operands;
    const std::uint32_t hash = prepare(node);
    const std::optional<NodeId> known = find(node, hash);
    return known ? *known : insert(node, hash);
}

NodeId Graph::constant(double value) {
    return add_node(Op::constant, types_->scalar(), true, {}, Constant{nullptr, value}, {});
}

NodeId Graph::constant(Tensor value) {
    if (value.type().is_scalar()) {
        return constant(value.as_double());
    }
    const TensorType type = value.type();
    return add(Op::constant, type, {}, Constant{std::make_shared<const Tensor>(std::move(value))});
}

NodeId Graph::without_casts(NodeId id) const noexcept {
    while (nodes_[id].op == Op::cast) {
        id = nodes_[id].operands[0];
    }
    return id;
}

NodeId Graph::input(std::uint32_t index) {
    return add(Op::input, inputs_[index].type, {}, Input{index});
}

std::vector<std::uint32_t> Graph::use_counts() const {
    std::vector<std::uint32_t> uses(nodes_.size(), 0);
    for (const GraphOutput &output : outputs_) {
        ++uses[output.node];
    }
    // Operands come before their users, so from the back every node's own count is final when it is reached.
    for (std::size_t id = nodes_.size(); id-- > 0;) {
        if (uses[id] != 0) {
            for (NodeId operand : nodes_[id].operands) {
                ++uses[operand];
            }
        }
    }
    return uses;
}

OpSet Graph::ops(std::span<const std::uint32_t> uses) const noexcept {
    OpSet ops = 0;
    for (NodeId id = 0; id < uses.size(); ++id) {
        ops |= uses[id] != 0 ? op_set(nodes_[id].op) : 0;
    }
    return ops;
}

Graph Graph::reachable() const {
    Graph graph = beside();
    graph.inputs_ = inputs_;
    const std::vector<std::uint32_t> uses = use_counts();
    graph.reserve(
        static_cast<std::size_t>(std::count_if(uses.begin(), uses.end(), [](auto count) { return count != 0; })));
    std::vector<NodeId> numbers(nodes_.size());
    std::vector<NodeId> operands;
    for (NodeId id = 0; id < nodes_.size(); ++id) {
        if (uses[id] == 0) {
            continue;
        }
        operands.clear();
        for (const NodeId operand : nodes_[id].operands) {
            operands.push_back(numbers[operand]);
        }
        numbers[id] = graph.add_like(*this, id, operands);
    }
    for (const GraphOutput &output : outputs_) {
        graph.add_output({output.name, numbers[output.node], output.declared, output.size_of});
    }
    return graph;
}

}  // namespace tenrex::ir
