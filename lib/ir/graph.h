// The graph: one typed DAG for constants, query and documents.
//
// A node's value is a tensor: a set of addresses (one label per mapped dimension) with a dense block of cells each.
// There are no lambdas and no loops: what a lambda does to one cell or block, nodes do to whole tensors by natural join
// (equal labels of shared mapped dimensions, equal indexes of shared indexed ones, every combination of the others).
// So every operation is pure, and evaluating more of the graph than needed never changes a result.
//
// Cell types are explicit. An operation computes in double if its result cell type is double and in float otherwise,
// and rounds to its cell type (to_cell in cell_type.h). NaN and infinities follow IEEE: no rewrite may assume that they
// are absent. An aggregate over nothing is 0 if the result has no mapped dimension; otherwise its address is missing.
//
// Nodes are hash-consed: equal operation, type, payload and operands give the same node. Operands come before their
// users: ids in order are a schedule, but schedule.h has one that is better.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

#include "lib/ir/ops.h"
#include "lib/ir/payloads.h"
#include "lib/ir/type_table.h"
#include "lib/support/arena.h"
#include "lib/support/id_map.h"
#include "lib/support/stable_list.h"

namespace tenrex::ir {

using NodeId = std::uint32_t;

// Small and plain: what it points to is owned by the graph.
struct Node {
    Op op;
    Stage stage;                 // the latest stage of the operands: when the value becomes known
    bool holds_indexes = false;  // a constant with the index of each cell along its only dimension (index_vector.h)
    bool type_follows = false;   // from the operands: it was inferred when the node was made
    const TensorType *type;      // one object per distinct type of a graph, and of the bodies of its nodes
    std::span<const NodeId> operands;
    const Payload *payload;  // of the type that the operation names
    Span span;               // the source text that the node comes from, for explain

    // The payload, whose type is known from the operation.
    template <class Own>
    const Own &as() const noexcept {
        const Own *const own = std::get_if<Own>(payload);
        if (own == nullptr)
            __builtin_trap();
        return *own;
    }
    // A constant that is a number, not a tensor.
    bool is_number() const noexcept { return op == Op::constant && !as<Constant>().value; }
    double number() const noexcept { return as<Constant>().number; }
};

// An input or output of a graph.
struct GraphInput {
    std::string name;
    TensorType type;
    Stage stage;
    // The type as values have it, if a dimension of it is open. In a graph that is a mapped dimension whose labels are
    // the numbers from 0 on; same_size sees to it that joined values have the same ones.
    std::optional<TensorType> declared = std::nullopt;
};
struct GraphOutput {
    std::string name;  // "" for the only one
    NodeId node;
    std::optional<TensorType> declared = std::nullopt;  // as of inputs
    // Not "": a number, the size that the declared output before has in this open dimension. It is there if several are
    // open, since rows do not tell it.
    std::string size_of = {};

    friend bool operator==(const GraphOutput &, const GraphOutput &) = default;
};

// Passes add nodes and redirect outputs; they never change or remove a node. What no output reaches is ignored, and
// left out between two passes where it is most of the graph.
class Graph {
public:
    Graph() : Graph(std::make_shared<TypeTable>()) {}
    // An empty graph that shares the objects for types with this one. The bodies of nodes begin so.
    Graph beside() const { return Graph(types_); }

    // Adds an input; its node is made with input(index).
    std::uint32_t add_input(GraphInput input);
    void add_output(GraphOutput output) { outputs_.push_back(std::move(output)); }
    void redirect_output(std::size_t output, NodeId node) { outputs_[output].node = node; }

    // The node with these properties: an equal one that exists, or a new one.
    NodeId add(Op op, const TensorType &type, std::span<const NodeId> operands, Payload payload = {}, Span span = {});
    // With the dimensions that follow (infer.h); a scalar is a double whatever the cell type. An error: the type is
    // beyond the limits. Operands that do not go together are a mistake of the compiler, a std::logic_error.
    Result<NodeId> add(Op op, CellType cell_type, std::span<const NodeId> operands, const Limits &limits,
                       Payload &&payload, Span span);
    // The same for types that are within them, or summed before they are stored.
    NodeId add(Op op, CellType cell_type, std::span<const NodeId> operands, Payload payload = {}, Span span = {});
    // The same as a node of another graph, with operands of the same types.
    NodeId add_like(const Graph &source, NodeId id, std::span<const NodeId> operands);
    // The node with other operands of the same types.
    NodeId with_operands(NodeId id, std::span<const NodeId> operands);
    NodeId constant(double value);
    NodeId constant(Tensor value);
    NodeId input(std::uint32_t index);

    const Node &operator[](NodeId id) const noexcept { return nodes_[id]; }
    // The node, or what it casts, however often.
    NodeId without_casts(NodeId id) const noexcept;
    std::size_t size() const noexcept { return nodes_.size(); }
    const std::vector<GraphInput> &inputs() const noexcept { return inputs_; }
    const std::vector<GraphOutput> &outputs() const noexcept { return outputs_; }

    // Makes room for so many nodes, and inputs.
    void reserve(std::size_t nodes, std::size_t inputs = 0) {
        nodes_.reserve(nodes);
        node_index_.reserve(nodes);
        inputs_.reserve(inputs);
    }

    // The same inputs and outputs with the nodes that the outputs reach, under other numbers.
    Graph reachable() const;

    // Of the nodes that the outputs reach, by their use counts.
    OpSet ops(std::span<const std::uint32_t> uses) const noexcept;

    // For each node, how many nodes and outputs that are reachable from the outputs use it.
    std::vector<std::uint32_t> use_counts() const;

private:
    explicit Graph(std::shared_ptr<TypeTable> types) noexcept : types_(std::move(types)) {}

    const TensorType *intern(const TensorType &type);
    NodeId add_node(Op op, const TensorType *type, bool type_follows, std::span<const NodeId> operands,
                    Payload &&payload, Span span);
    // Of a node that may exist; its stage is that of its operands.
    std::uint32_t prepare(Node &node) const;
    std::optional<NodeId> find(const Node &node, std::uint32_t hash) const;
    NodeId insert(Node node, std::uint32_t hash);

    std::vector<GraphInput> inputs_;
    std::vector<GraphOutput> outputs_;
    std::vector<Node> nodes_;
    std::shared_ptr<TypeTable> types_;
    StableList<Payload> payloads_;
    Arena operands_;
    IdMap node_index_;  // by hash
};

}  // namespace tenrex::ir
