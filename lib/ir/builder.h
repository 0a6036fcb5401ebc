// The state of one translation from typed tree to graph; build.h says what it does.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lib/ir/build.h"
#include "lib/support/id_map.h"

namespace tenrex::ir {

// What has been translated, by Expr::id. Of the expression as a whole that is an array; of a lambda, which has few of
// its parts, a table.
class Memo {
public:
    Memo() = default;
    explicit Memo(std::uint32_t expressions) : all_(expressions, nothing) {}

    std::optional<NodeId> find(std::uint32_t expression) const {
        if (all_.empty()) {
            return some_.find(expression);
        }
        return all_[expression] == nothing ? std::nullopt : std::optional(all_[expression]);
    }
    void add(std::uint32_t expression, NodeId node) {
        if (all_.empty()) {
            some_.add(expression, node);
        } else {
            all_[expression] = node;
        }
    }

private:
    static constexpr NodeId nothing = ~NodeId{0};
    std::vector<NodeId> all_;
    IdMap some_;
};

// Where an expression stands: the values of the parameters that it sees.
struct Scope {
    std::vector<NodeId> slots;
    // A tensor with exactly the addresses for which the scope exists, if it has mapped scope dimensions: what is
    // computed for each of them and comes out empty is 0 there.
    std::optional<NodeId> anchor;
    Scope *outer = nullptr;  // of the body of a generator: where what reads no index of a generator is built, once
    Memo memo;
};

class Builder {
public:
    Builder(const sema::TypedExpression &expression, const Limits &limits, Graph graph, std::uint32_t text_begin);
    Result<Graph> run(std::string output_name);

private:
    // ---- walking (builder.cpp)
    NodeId build(const sema::Expr &expr, Scope &scope);
    // One node, whose operands in the same scope are in the memo.
    NodeId translate(const sema::Expr &expr, Scope &scope);
    void note_text(Span span);
    NodeId at(const sema::Expr &expr, const Scope &scope) const { return *scope.memo.find(expr.id); }

    // ---- lambdas and scopes (build_scopes.cpp)
    NodeId map(const sema::MapExpr &expr, const Scope &scope);
    NodeId join(const sema::JoinExpr &expr, const Scope &scope);
    NodeId merge(const sema::JoinExpr &expr, const Scope &scope);
    NodeId map_subspaces(const sema::MapExpr &expr, const Scope &scope);
    NodeId filter_subspaces(const sema::MapExpr &expr, const Scope &scope);
    NodeId generate(const sema::GenerateExpr &expr, Scope &scope);
    // The body of a scalar lambda, in double; the operands are its parameters and join.
    NodeId scalar_body(const sema::LambdaExpr &lambda, std::span<const NodeId> operands);
    // The body of a lambda over the dense blocks of a value, for all of them at once.
    NodeId block_body(const sema::MapExpr &expr, NodeId operand, const Scope &scope);
    // The same of a value with addresses, under the names of its dimensions.
    NodeId body_of_blocks(const sema::MapExpr &expr, NodeId operand, const Scope &scope);

    // ---- operations (build_operations.cpp)
    NodeId input(std::uint32_t index);
    NodeId conditional(const sema::IfExpr &expr, const Scope &scope);
    NodeId reduce(const sema::ReduceExpr &expr, const Scope &scope);
    NodeId concat(const sema::ConcatExpr &expr, const Scope &scope);
    NodeId order(const sema::CellOrderExpr &expr, const Scope &scope);
    NodeId literal(const sema::LiteralExpr &expr, const Scope &scope);
    NodeId peek(const sema::PeekExpr &expr, const Scope &scope);
    NodeId to_mapped(const sema::ToMappedExpr &expr, const Scope &scope);
    NodeId cut(const sema::CutExpr &expr, const Scope &scope);
    NodeId forest(const sema::ForestExpr &expr, const Scope &scope);

    // ---- open dimensions (open_sizes.cpp): mapped in the graph, with the numbers from 0 on as labels
    // Who has as many rows as an open dimension of a node has indexes.
    struct OpenSize {
        std::string dimension;
        NodeId rows;         // a node with one label: a row for each index
        std::string source;  // for messages: "'query(q)'"
    };
    std::vector<OpenSize> sizes_of_input(NodeId node, const sema::InputUse &use);
    const OpenSize *size_of(NodeId node, std::string_view dimension) const;
    std::span<const OpenSize> sizes_of(NodeId node) const;
    void note_sizes(NodeId node, std::vector<OpenSize> sizes);
    // The sizes of a result are those of its operands.
    void inherit_sizes(NodeId node, Op op, std::span<const NodeId> operands, const Payload &payload);
    // Operands of a join whose open dimensions have other sizes are compared when values are there. Then they have that
    // of the first, or the known one.
    std::vector<NodeId> with_same_sizes(std::span<const NodeId> operands);
    NodeId with_size(NodeId node, const OpenSize &own, NodeId rows, const std::string &source);
    NodeId append(const sema::ConcatExpr &expr, const Scope &scope);
    NodeId as_rows(NodeId node, const std::string &dimension);
    // The size of each open dimension of a result, as outputs.
    void add_sizes(NodeId root);
    // Zeros where an aggregate over nothing is missing: of each index of the open dimensions that stay.
    NodeId filled_rows(NodeId node);
    // The addresses of a value without the labels of open dimensions.
    NodeId without_rows(NodeId node);
    std::optional<TensorType> declared(const TensorType &type, std::string_view what);
    void fail_open(std::string what);

    // ---- making nodes (make_nodes.cpp)
    NodeId add(Op op, CellType cell_type, std::span<const NodeId> operands, Payload payload = {});
    NodeId add(Op op, CellType cell_type, std::initializer_list<NodeId> operands, Payload payload = {}) {
        return add(op, cell_type, std::span<const NodeId>(operands.begin(), operands.size()), std::move(payload));
    }
    NodeId apply(ScalarFunction function, CellType cell_type, std::initializer_list<NodeId> operands);
    NodeId cast(NodeId node, CellType cell_type);
    NodeId rename(NodeId node, std::vector<std::string> from, std::vector<std::string> to);
    NodeId aggregate(NodeId node, Aggregator aggregator, std::vector<std::string> over, CellType cell_type);
    NodeId filter(NodeId node, NodeId keep);
    // The value at the addresses and indexes that `with` has too; the value itself if that says nothing new.
    NodeId join_addresses(NodeId value, NodeId with);
    // Gives each node the scope dimensions that any of them has, with all addresses that they have in the scope.
    void align(std::span<NodeId> nodes, const Scope &scope);
    // The node with zeros for the addresses of the scope that it lacks.
    NodeId filled(NodeId node, const Scope &scope);

    const TensorType &type(NodeId node) const { return *graph_[node].type; }
    void fail_too_large(const std::string &reason, std::string hint);
    std::string fresh_name();
    bool is_scope_name(std::string_view name) const noexcept { return name.starts_with(scope_prefix_); }
    bool has_scope_dimension(NodeId node) const;
    bool lacks_scope_dimension(NodeId node, NodeId other) const;

    const sema::TypedExpression &expression_;
    Limits type_limits_;              // of what is made of other values
    std::uint64_t most_indexes_ = 0;  // of a generator's dimension: their numbers are a constant
    Graph graph_;
    std::vector<std::optional<std::uint32_t>> inputs_;            // graph input of each input of the expression
    std::unordered_map<std::string, std::uint32_t> input_index_;  // of the graph before this expression
    std::unordered_map<NodeId, std::vector<OpenSize>> sizes_;     // of open dimensions
    std::vector<bool> closed_;  // see closed_expressions(); empty until a generator is met
    std::string scope_prefix_;  // of scope dimensions; no dimension of the expression begins with it
    std::uint32_t fresh_names_ = 0;
    std::optional<Error> error_;
    Span span_;  // of the expression that is being translated
    std::uint32_t text_begin_ = 0;
    bool in_scalar_lambda_ = false;  // spans are those of the expression that the lambda belongs to
};

// The index of each cell along one dimension.
Tensor index_vector(const std::string &name, std::uint64_t size, bool mapped);

// Appends the operands of an expression that stand in the same scope.
void add_operands(const sema::Expr &expr, std::vector<const sema::Expr *> &operands);

}  // namespace tenrex::ir
