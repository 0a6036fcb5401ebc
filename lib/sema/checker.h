// The checker at work: one object per expression. The parts are in check_*.cpp and expand_*.cpp, by subject.
//
// Every function that gives an Expr gives null if something is wrong with it; that has been reported then. Operations
// on null are null without a further report, so one mistake gives one issue.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lib/sema/check.h"
#include "lib/sema/type_rules.h"
#include "lib/sema/typed_builder.h"
#include "lib/support/diagnostics.h"

namespace tenrex::forest {
struct Labels;
}

namespace tenrex::sema {

class Checker {
public:
    Checker(const syntax::Ast &ast, const Schema &schema, const CheckOptions &options);
    Result<TypedExpression> run();

private:
    // Who asks for an operation: its name for messages, the text the new nodes come from, and the text to point at.
    struct Site {
        std::string_view what;
        Span span;
        Span blame;
    };
    // A parameter of a lambda or a dimension of a generator. The type is null if a mistake hides it.
    struct Parameter {
        std::string_view name;
        const TensorType *type;
    };
    enum class ScopeKind : std::uint8_t { expression, scalar_lambda, block_lambda };
    struct Scope {
        ScopeKind kind;
        std::string_view function;  // whose lambda it is
        std::size_t first;          // its parameters begin here in parameters_
    };
    using Names = std::vector<std::string_view>;

    // ---- check.cpp: the walk
    Expr *check(const syntax::Node &node);
    Expr *check_one(const syntax::Node &node);
    Expr *check_rest(const syntax::Node &node, Expr *left);  // of a node whose left operand has been checked
    bool full(Span span);                                    // time to stop; too many nodes are reported once
    // The code that makes errors is cold here and elsewhere: it stands apart, and the rest takes fewer lines of the
    // cache.
    [[gnu::cold]] std::nullptr_t fail(Span span, std::string message, std::string hint = {});
    [[gnu::cold]] std::nullptr_t fail(const Site &site, const TypeProblem &problem,
                                      std::initializer_list<const TensorType *> operands);
    std::string_view text(Span span) const noexcept;

    // A definition with a text of its own.
    Status check_foreign(const Definition &definition);

    // ---- check_symbols.cpp
    Expr *check_symbol(const syntax::SymbolNode &node);
    void push_parameter(std::string_view name, const TensorType *type);
    void pop_parameters(std::size_t left);
    std::optional<std::uint32_t> find_parameter(std::string_view name) const;  // its slot
    std::optional<std::uint32_t> find_input(std::string_view name, Span span);
    bool is_visible(std::string_view name) const;
    std::nullptr_t unknown_symbol(const syntax::SymbolNode &node);
    std::nullptr_t unknown_in_lambda(const syntax::SymbolNode &node);
    std::nullptr_t unknown_call(const syntax::SymbolNode &node);
    std::string suggest_symbol(const syntax::SymbolNode &node) const;

    // ---- check_forest.cpp
    // Null without a report if the symbol is no declared forest.
    Expr *check_forest(const syntax::SymbolNode &node, bool &known);
    Expr *sums_of_forest(const ForestDeclaration &declared, Span span);
    Expr *feature_of_forest(std::string_view name, Span span);
    Expr *value_of_forest(const ForestDeclaration &declared, Expr *sums, Span span);
    Expr *label_of_forest(const forest::Labels &labels, Expr *sums, Span span);
    Expr *index_of_largest(Expr *x, Span span);
    Expr *one_for_each_output(const Expr &x, const std::vector<double> &numbers, Span span);
    static Names outputs_of(const Expr *x);

    // ---- check_calls.cpp: operators, scalar functions, `in`, `if`, `switch`
    Expr *check_unary(const syntax::CallNode &node);
    Expr *check_binary(const syntax::CallNode &node, Expr *left);
    enum class Second : std::uint8_t { value, dimension, unknown };
    Second second_of_min_max(const syntax::CallNode &node, const Expr *left, const syntax::SymbolNode &symbol);
    Expr *check_in(const syntax::InNode &node, Expr *subject);
    Expr *check_if(const syntax::IfNode &node);
    Expr *check_switch(const syntax::SwitchNode &node);
    Expr *check_user_call(const syntax::UserCallNode &node);

    // ---- check_slips.cpp: what is allowed and hardly ever meant. b is null of a function of one argument.
    void warn_of_strings(const syntax::CallNode &node, const Expr *a, const Expr *b);
    void warn_of_outer_sum(const Expr &operand, Aggregator aggregator, const Names &dimensions);
    void warn_of_assumed_number(const Expr &operand, Aggregator aggregator);
    void warn_of_label(const syntax::PeekEntry &entry);

    // ---- operations.cpp: nodes with the type that the rules give
    Expr *call(ScalarFunction function, Expr *a, Span span);
    Expr *call(ScalarFunction function, Expr *a, Expr *b, const Site &site);
    Expr *sum_of_tensor(Expr *value, Span span);  // a number stays
    Expr *conditional(Expr *condition, Expr *when_true, Expr *when_false, double probability, const Site &site);
    Expr *reduce(Expr *operand, Aggregator aggregator, const Names &dimensions, Span span);
    Expr *cell_cast(Expr *operand, CellType cell_type, Span span);
    const TensorType *map_type_of(const TensorType *type);
    const TensorType *join_type_of(Expr *&a, Expr *&b, const Site &site);
    // Java dialect: makes the dimensions mapped that are mapped in `other`.
    Expr *mapped_as(Expr *operand, const TensorType &other);
    Expr *cut(Expr *operand, std::string_view dimension, std::uint64_t begin, std::uint64_t end, Span span);
    Expr *number(double value, Span span) { return builder_.number(value, span); }
    const TensorType *accept(const TypeOrProblem &type, const Site &site,
                             std::initializer_list<const TensorType *> operands);

    // ---- check_tensor_functions.cpp
    Expr *check_tensor_call(const syntax::TensorCallNode &node);
    Expr *check_map(const syntax::TensorCallNode &node);
    Expr *check_join(const syntax::TensorCallNode &node);
    Expr *check_merge(const syntax::TensorCallNode &node);
    Expr *check_reduce(const syntax::TensorCallNode &node);
    Expr *check_rename(const syntax::TensorCallNode &node);
    Expr *check_concat(const syntax::TensorCallNode &node);
    Expr *check_cell_cast(const syntax::TensorCallNode &node);
    Expr *check_cell_order(const syntax::TensorCallNode &node);
    Expr *check_map_subspaces(const syntax::TensorCallNode &node);
    Expr *check_filter_subspaces(const syntax::TensorCallNode &node);
    static Site site(const syntax::TensorCallNode &node);
    // The dimensions as the operand's type names them, sorted; nothing if one does not exist. None named: all.
    std::optional<Names> dimensions_of(const Expr *operand, std::span<const syntax::Name> names, std::string_view what);

    // ---- check_lambda.cpp
    // All parameters have the same type; null if a mistake hides it.
    Expr *check_lambda(const syntax::Lambda &lambda, ScopeKind kind, std::string_view function,
                       const TensorType *parameter);
    std::nullptr_t tensor_in_lambda(const syntax::Node &node, std::string_view what);

    // ---- check_literal.cpp, check_generator.cpp, check_peek.cpp
    struct LiteralCells;
    Expr *check_literal(const syntax::LiteralNode &node);
    bool verbose_cells(const syntax::LiteralNode &node, LiteralCells &cells);
    bool short_cells(const syntax::LiteralElement &element, std::size_t level, LiteralCells &cells);
    bool add_cell(const syntax::Node &value, Span address, LiteralCells &cells);
    Expr *check_generator(const syntax::GeneratorNode &node);
    const TensorType *type_of_spec(const syntax::TypeSpec &spec);
    const TensorType *type_of(const Result<TensorType> &type, Span span);  // reports at the span if there is none
    std::uint32_t next_slot() const noexcept;                              // behind the parameters of the scope
    Expr *generate(const syntax::TypeSpec &spec, const TensorType *type, Expr *body, Span span);
    Expr *check_scalar(const syntax::Node &node, std::string_view what);
    Expr *check_peek(const syntax::PeekNode &node, Expr *subject);
    // Without the dimensions that go, with those of tensors of indexes. Null: they do not fit, which has been told.
    const TensorType *peek_result(const TensorType &subject, const Names &dimensions,
                                  const std::vector<PeekPart> &parts, Span span);
    const Dimension *peek_dimension(const syntax::PeekEntry &entry, const TensorType &type);
    bool peek_part(const syntax::PeekEntry &entry, const Dimension &dimension, PeekPart &part);
    bool peek_label(const syntax::PeekEntry &entry, const Dimension &dimension, PeekPart &part);
    bool peek_computed(const syntax::PeekEntry &entry, const Dimension &dimension, PeekPart &part);

    // ---- expand_surface.cpp, expand_create.cpp, expand_tokens.cpp
    Expr *expand(const syntax::TensorCallNode &node);
    Expr *expand_min_max(const syntax::CallNode &node, Expr *left, std::string_view dimension);
    Expr *expand_matmul(const syntax::TensorCallNode &node);  // matmul, xw_plus_b
    Expr *expand_softmax(const syntax::TensorCallNode &node);
    Expr *expand_l1_normalize(const syntax::TensorCallNode &node);
    Expr *expand_l2_normalize(const syntax::TensorCallNode &node);
    Expr *expand_vector_pair(const syntax::TensorCallNode &node);  // cosine_similarity, euclidean_distance
    Expr *expand_arg(const syntax::TensorCallNode &node);          // argmax, argmin
    Expr *expand_expand(const syntax::TensorCallNode &node);
    Expr *expand_top(const syntax::TensorCallNode &node);
    Expr *expand_unpack_bits(const syntax::TensorCallNode &node);
    Expr *expand_range(const syntax::TensorCallNode &node);
    Expr *expand_diag(const syntax::TensorCallNode &node);
    Expr *expand_random(const syntax::TensorCallNode &node);
    Expr *expand_tokens(const syntax::TensorCallNode &node);
    const TensorType *token_type(const syntax::Node &node, std::string_view what);
    Expr *token_sequence(const syntax::Node &node, std::string_view what);

    const syntax::Ast &ast_;
    const Schema &schema_;
    const CheckOptions &options_;
    const bool java_;
    Diagnostics diagnostics_;
    TypedBuilder builder_;
    std::vector<Scope> scopes_;
    std::vector<Parameter> parameters_;
    std::unordered_map<std::string_view, std::vector<std::size_t>> parameter_index_;  // innermost last
    std::vector<const syntax::Node *> spine_;                     // nodes whose left operand is being checked
    std::unordered_map<std::string_view, std::uint32_t> inputs_;  // symbols met before
    std::unordered_map<std::string_view, Expr *> definitions_;
    std::unordered_map<const ForestDeclaration *, Expr *> forests_;  // their sums
    std::unordered_map<const TensorType *, std::unordered_map<const TensorType *, const TensorType *>> joins_;
    std::unordered_set<std::string_view> unknown_;  // symbols reported before
    std::uint64_t randoms_ = 0;                     // calls of random(...) met before
    std::uint64_t errors_ = 0;
    bool full_ = false;  // enough nodes or errors: the rest is not looked at
};

}  // namespace tenrex::sema
