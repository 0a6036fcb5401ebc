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
// Nodes are hash-consed: equal operation, type, attributes and operands give the same node. Operands come before their
// users, so ids in order are a schedule.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/schema.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

#include "lib/support/arena.h"
#include "lib/support/id_map.h"
#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::ir {

enum class Op : std::uint8_t {
#define TENREX_OP(id, name, least, most, summary) id,
#include "lib/ir/ops.def"
};
std::string_view name(Op op) noexcept;
std::optional<Op> op_from_name(std::string_view name) noexcept;

// A set of operations.
using OpSet = std::uint32_t;
inline constexpr std::size_t op_count = 0
#define TENREX_OP(id, name, least, most, summary) +1
#include "lib/ir/ops.def"
    ;
static_assert(op_count <= 8 * sizeof(OpSet));
template <std::same_as<Op>... Ops>
constexpr OpSet op_set(Ops... ops) noexcept {
    return ((OpSet{1} << static_cast<unsigned>(ops)) | ...);
}

using NodeId = std::uint32_t;

// How a peek or gather chooses along one dimension.
struct PeekPart {
    std::string dimension;
    std::string label;           // of a mapped dimension, if `computed` is 0
    std::uint64_t index = 0;     // of an indexed dimension, if `computed` is 0
    std::uint32_t computed = 0;  // number of the operand that holds the label, truncated to int64; 0: known

    friend bool operator==(const PeekPart &, const PeekPart &) = default;
};

// Where a scalar operand of `pack` goes.
struct PackCell {
    std::uint32_t block = 0;  // index into Attributes::addresses
    std::uint64_t index = 0;  // within the dense block

    friend bool operator==(const PackCell &, const PackCell &) = default;
};

// What an operation is told beside its operands. Only the fields that the operation names are used; the others keep
// their defaults, so that equal operations have equal attributes.
struct Attributes {
    // constant: a tensor, or the number if it is null.
    std::shared_ptr<const Tensor> value;
    double number = 0;
    // input: index into Graph::inputs().
    std::uint32_t input = 0;
    // apply: the function; contract: the product-like function of the operands.
    ScalarFunction function = ScalarFunction::add;
    // contract: of its result, before it is aggregated.
    std::optional<ScalarFunction> after;
    // reduce, contract.
    Aggregator aggregator = Aggregator::sum;
    // reduce, contract, order: over which; concat, slice: along which; rename, to_mapped, to_indexed: which change.
    std::vector<std::string> dimensions;
    // rename: for each of `dimensions`.
    std::vector<std::string> new_names;
    // in_set.
    std::vector<double> set;
    // user.
    std::shared_ptr<const UserFunction> user_function;
    // select, branch: that the condition holds.
    double probability = 0.5;
    // order: rank 0 is the smallest; unpack_bits: the lowest bit comes first.
    bool ascending = false;
    // slice: the index that becomes 0.
    std::uint64_t begin = 0;
    // peek: one for each dimension that goes.
    std::vector<PeekPart> parts;
    // pack: the labels of each block, and for each operand its place.
    std::vector<std::vector<std::string>> addresses;
    std::vector<PackCell> cells;

    friend bool operator==(const Attributes &, const Attributes &);
};

// Small and plain: what it points to is owned by the graph.
struct Node {
    Op op;
    Stage stage;                 // the latest stage of the operands: when the value becomes known
    bool holds_indexes = false;  // a constant with the index of each cell along its only dimension (index_vector.h)
    const TensorType *type;      // one object per distinct type of a graph
    std::span<const NodeId> operands;
    const Attributes *attributes;
    Span span;  // the source text that the node comes from, for explain

    // A constant that is a number, not a tensor.
    bool is_number() const noexcept { return op == Op::constant && !attributes->value; }
};

// An input or output of a graph.
struct GraphInput {
    std::string name;
    TensorType type;
    Stage stage;
};
struct GraphOutput {
    std::string name;  // "" for the only one
    NodeId node;

    friend bool operator==(const GraphOutput &, const GraphOutput &) = default;
};

// Passes add nodes and redirect outputs; they never change or remove a node. What no output reaches is ignored.
class Graph {
public:
    // Adds an input; its node is made with input(index).
    std::uint32_t add_input(GraphInput input);
    void add_output(GraphOutput output) { outputs_.push_back(std::move(output)); }
    void redirect_output(std::size_t output, NodeId node) { outputs_[output].node = node; }

    // The node with these properties: an equal one that exists, or a new one.
    NodeId add(Op op, const TensorType &type, std::span<const NodeId> operands, Attributes attributes = {},
               Span span = {});
    NodeId constant(double value);
    NodeId constant(const Tensor &value);
    NodeId input(std::uint32_t index);

    const Node &operator[](NodeId id) const noexcept { return nodes_[id]; }
    // The node, or what it casts, however often.
    NodeId without_casts(NodeId id) const noexcept;
    std::size_t size() const noexcept { return nodes_.size(); }
    const std::vector<GraphInput> &inputs() const noexcept { return inputs_; }
    const std::vector<GraphOutput> &outputs() const noexcept { return outputs_; }

    // Of all nodes, also of those that no output reaches.
    OpSet ops() const noexcept { return ops_; }

    // For each node, how many nodes and outputs that are reachable from the outputs use it.
    std::vector<std::uint32_t> use_counts() const;

private:
    const TensorType *intern(const TensorType &type);

    std::vector<GraphInput> inputs_;
    std::vector<GraphOutput> outputs_;
    std::vector<Node> nodes_;
    OpSet ops_ = 0;
    std::deque<TensorType> types_;
    IdMap type_index_;  // by hash
    std::deque<Attributes> attributes_;
    Arena operands_;
    IdMap node_index_;  // by hash
};

}  // namespace tenrex::ir
