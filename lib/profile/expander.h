// Expressions of a profile to expressions over inputs: functions, constants and features that the library computes are
// resolved, so that what remains can be checked and compiled like any other expression.
//
// A call of a function becomes a definition of its own for each list of arguments, and a symbol where it was called;
// so does an argument that is more than a name or a number. An expression never grows by more than what was written
// for it, however often functions call each other, and what is computed twice is computed once. Within lambdas, which
// see no symbols but their own, functions are spliced in instead, and so are calls whose arguments speak of the
// dimensions of a generator around.
//
// One object serves the expressions of one phase. The parts are in expand_*.cpp, by subject.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <tenrex/limits.h>
#include <tenrex/rank_profile.h>

#include "lib/profile/inherit.h"
#include "lib/profile/input_table.h"
#include "lib/profile/sources.h"
#include "lib/sema/check.h"
#include "lib/support/arena.h"
#include "lib/syntax/ast.h"
#include "lib/syntax/scanner.h"

namespace tenrex::profile {

// An expression over inputs and definitions.
struct Expanded {
    const syntax::Node *node = nullptr;  // null: a mistake has been reported
    std::vector<std::uint32_t> uses;     // definitions that it names
    std::uint32_t depth = 0;             // levels that it is nested, definitions included
    std::uint64_t size = 0;              // nodes that were made for it
};

class Expander {
public:
    // Where the expressions stand: it decides which scores are known.
    enum class Place : std::uint8_t { first_phase, second_phase, global_phase, features };

    struct NormalizerUse {
        Normalizer normalizer;
        Expanded value;
        Span span;
    };

    Expander(const ProfileSet::Content &set, const WholeProfile &profile, InputTable &inputs, Place place,
             Findings &findings);

    // Spans of the result count in Sources.
    Expanded expand(const ExpressionText &text);
    // An expression that no file contains.
    Expanded expand(std::string_view text, Span blame);
    // A call of a function without arguments.
    Expanded expand(const FunctionText &function, Span blame);
    // What an expression needs defined, each definition after those that it uses.
    std::vector<sema::Definition> definitions(const Expanded &expression) const;
    const std::vector<NormalizerUse> &normalizers() const noexcept { return normalizers_; }
    // Whether an expression uses the function, directly or by others.
    bool uses(const FunctionText &function) const { return called_.contains(&function); }

private:
    static constexpr std::uint32_t levels_of_a_call = 4;  // of recursion, in levels of expressions

    // What a name of an argument stands for.
    struct Binding {
        std::string_view name;
        std::string text;                         // as the name of a feature's argument; empty: it cannot be one
        Expanded value;                           // no node: it is only a name
        bool is_leaf = false;                     // a symbol, number or string
        std::optional<std::uint32_t> definition;  // of a value that is computed: where it is computed once
        std::vector<std::size_t> locals;          // parameters and dimensions around the call that it speaks of
    };
    // The text that is being expanded and where.
    struct Scope {
        const std::string *source;    // of the spans of the tree
        std::uint32_t offset = 0;     // added to spans
        std::optional<Span> fixed{};  // instead: the text is in no file
        bool only_inputs = false;     // its names are not those of functions and constants
        std::span<const Binding> bindings{};
        const FunctionText *function = nullptr;
        std::size_t text_locals = 0;  // locals from here on belong to this text
        std::size_t first_local = 0;  // those from here on are visible
        bool in_lambda = false;
        bool maybe = false;  // types decide whether a symbol is one: unknown ones stay
    };
    struct Definition {
        std::string_view name;
        Expanded body;
        const std::string *source = nullptr;  // of the body, if it is no text of the profile
    };
    struct FeatureCall {
        std::string text;  // normal form
        std::string base, output;
        std::vector<std::string> arguments;
        bool is_call = false;
        Span span;
    };

    // ---- expand_nodes.cpp: the walk
    // Of a text that no file contains.
    Scope scope_of(const std::string &text, Span blame, bool only_inputs) const;
    const syntax::Node *expand(const syntax::Node &node, const Scope &scope);
    const syntax::Node *expand_one(const syntax::Node &node, const Scope &scope);
    const syntax::Node *expand_rest(const syntax::Node &node, const syntax::Node *left, const Scope &scope);
    const syntax::Node *expand_tensor_call(const syntax::TensorCallNode &node, const Scope &scope);
    const syntax::Node *expand_generator(const syntax::GeneratorNode &node, const Scope &scope);
    const syntax::Node *expand_literal(const syntax::LiteralNode &node, const Scope &scope);
    bool expand_element(syntax::LiteralElement &element, const Scope &scope);
    const syntax::Node *expand_peek(const syntax::PeekNode &node, const syntax::Node *subject, const Scope &scope);
    const syntax::Lambda *expand_lambda(const syntax::Lambda &lambda, const Scope &scope);
    bool expand_list(std::span<const syntax::Node *const> &nodes, const Scope &scope);
    Span place(Span span, const Scope &scope) const noexcept;
    std::span<const syntax::Name> place(std::span<const syntax::Name> names, const Scope &scope);
    const syntax::TypeSpec *place(const syntax::TypeSpec *type, const Scope &scope);
    bool enter(Span span, std::uint32_t levels);
    syntax::Failed fail(Span span, std::string message, std::string hint = {});
    // The same of a name that means nothing; without a hint it says what names may be.
    syntax::Failed fail_unknown(Span span, std::string message, std::string hint);

    // "did you mean 'query(name)'?" of a bare name, or the same of an attribute; empty if there is none.
    std::string wrapped_hint(std::string_view name) const;

    // ---- expand_symbols.cpp: names, functions
    const syntax::Node *symbol(const syntax::SymbolNode &node, const Scope &scope);
    // Null without a report if the name means nothing.
    const syntax::Node *known_name(std::string_view name, Span span, const Scope &scope, bool &known);
    std::optional<std::size_t> find_local(std::string_view name, const Scope &scope) const;
    static const Binding *find_binding(std::string_view name, const Scope &scope);
    const syntax::Node *substitute(const Binding &binding, Span span, const Scope &scope);
    const syntax::Node *user_call(const syntax::UserCallNode &node, const Scope &scope);
    // A built-in function that the profile has one of its own instead of; null if it has not.
    const FunctionText *shadowing(std::string_view name, std::size_t arity, const Scope &scope) const;
    const syntax::Node *call(const FunctionText &function, std::span<const syntax::Node *const> arguments, Span span,
                             const Scope &scope);
    const syntax::Node *call(const FunctionText &function, std::vector<Binding> bindings, Span span,
                             const Scope &scope);
    bool bind(const syntax::Node &argument, const Scope &scope, Binding &binding);
    const syntax::Node *recursion(const FunctionText &function, Span span);
    // The number of the definition; nothing: it has a mistake.
    std::optional<std::uint32_t> define(std::string key, std::string_view label, Expanded body);
    // Runs `make`, which gives a node, and notes what the node uses and how deep it is nested.
    Expanded measured(const std::function<const syntax::Node *()> &make);
    const syntax::Node *use(std::optional<std::uint32_t> definition, Span span);
    const syntax::Node *body_of(const FunctionText &function, const Scope &scope, Span span);
    const syntax::Node *symbol_node(std::string_view name, Span span);

    // ---- expand_features.cpp
    bool feature_of(std::string_view text, Span span, const Scope &scope, FeatureCall &feature);
    const syntax::Node *feature(const FeatureCall &feature, const Scope &scope);
    std::string substituted(std::string_view argument, Span span, const Scope &scope, bool &good);
    const syntax::Node *defined(const FeatureCall &feature, const std::string &text);
    bool is_bare_feature(std::string_view name) const;
    const syntax::Node *unknown(const FeatureCall &feature, const Scope &scope);
    const syntax::Node *attribute(const FeatureCall &feature);
    const syntax::Node *attribute_element(const FeatureCall &feature, const Attribute &attribute);
    const syntax::Node *attribute_input(const Attribute &attribute, Span span);
    const syntax::Node *query(const FeatureCall &feature);
    const syntax::Node *constant(const ConstantText &constant, Span span);
    const syntax::Node *constant(const FeatureCall &feature);
    const syntax::Node *value(const FeatureCall &feature);
    const syntax::Node *now(const FeatureCall &feature);
    const syntax::Node *random(const FeatureCall &feature);
    const syntax::Node *phase_score(const FeatureCall &feature);
    const syntax::Node *tensor_from_weighted_set(const FeatureCall &feature);
    const syntax::Node *tensor_from_labels(const FeatureCall &feature);
    const syntax::Node *tensor_from_structs(const FeatureCall &feature);
    // tensorFromLabels and tensorFromWeightedSet of an input, which then is the tensor itself.
    const syntax::Node *tensor_from_query(const FeatureCall &feature);
    const syntax::Node *nearness(const FeatureCall &feature);
    const syntax::Node *closest(const FeatureCall &feature);
    // Which vectors closeness, distance and closest compare; no query after a report.
    struct Compared {
        std::string query;
        Attribute attribute;
    };
    Compared compared(const FeatureCall &feature, std::string name, std::string_view label);
    // The distance as text, for each vector of a document.
    static std::string distance_text(const Compared &vectors);
    // The feature if the engine gives it, else null.
    const syntax::Node *of_engine(const FeatureCall &feature);
    const syntax::Node *age(const FeatureCall &feature);
    const syntax::Node *freshness(const FeatureCall &feature);
    const Attribute *attribute_argument(const FeatureCall &feature, std::string_view argument);
    // The first argument, an attribute of one of the kinds; `takes` begins the message about another kind.
    const Attribute *attribute_argument(const FeatureCall &feature, std::initializer_list<AttributeKind> kinds,
                                        std::string_view takes);
    std::string what_it_is(const Attribute &attribute) const;
    // What to do if that is wrong; empty if the attribute is declared.
    std::string type_hint(const Attribute &attribute) const;
    bool arguments(const FeatureCall &feature, std::size_t least, std::size_t most, std::string_view usage);
    bool outputs(const FeatureCall &feature, std::initializer_list<std::string_view> names);

    // ---- expand_ranking_expression.cpp
    const syntax::Node *ranking_expression(const FeatureCall &feature, const Scope &scope);
    const syntax::Node *ranking_expression(std::string_view text, Span span, const Scope &scope);

    // ---- expand_forests.cpp
    struct DeclaredForest {
        enum class State : std::uint8_t { begun, refused, ready };
        State state = State::begun;
        std::string name;                        // in the schema
        std::vector<std::uint32_t> definitions;  // of its features
    };
    const syntax::Node *forest(const FeatureCall &feature);
    DeclaredForest declare_forest(const std::string &file, Span span);
    // What a model calls by a name: a function, attribute, input of the query or feature. hint: what to do if it cannot
    // be the name of one.
    const syntax::Node *feature_of_model(const std::string &name, std::string_view model, std::string_view hint,
                                         Span span);

    // ---- expand_networks.cpp
    struct DeclaredNetwork {
        DeclaredForest::State state = DeclaredForest::State::begun;
        std::unordered_map<std::string, std::uint32_t> definitions;  // of its inputs and nodes, by symbol
        const ModelDefinitions *model = nullptr;
    };
    const syntax::Node *network(const FeatureCall &feature, const NetworkText &text);
    bool declare_network(DeclaredNetwork &declared, const NetworkText &text, Span span);
    Expanded input_of_network(const std::string &name, const NetworkText &text, Span span);
    std::optional<TensorType> type_of(const Expanded &expression, Span span);

    // ---- expand_normalizers.cpp
    const syntax::Node *normalizer(const syntax::UserCallNode &node, const Scope &scope);
    const syntax::Node *reciprocal_rank(const syntax::Node &value, double k, std::string_view name, Span span,
                                        const Scope &scope);
    const syntax::Node *normalized(NormalizerKind kind, double k, std::string_view name, const syntax::Node &value,
                                   Span span, const Scope &scope);

    const ProfileSet::Content &set_;
    const WholeProfile &profile_;
    InputTable &inputs_;
    const Place place_;
    Findings &findings_;
    const Limits &limits_;
    Arena arena_;
    std::vector<std::shared_ptr<const syntax::Ast>> own_texts_;  // parsed from text that no file contains
    std::vector<std::string_view> locals_;   // parameters of lambdas and dimensions of generators around
    std::vector<std::size_t> used_locals_;   // those met while an argument is expanded
    std::vector<std::uint32_t> uses_;        // of the expression that is being expanded
    std::uint32_t level_ = 0, deepest_ = 0;  // of the same
    std::uint32_t stack_ = 0;                // levels of recursion
    std::uint64_t nodes_ = 0;
    std::uint64_t unknown_names_ = 0;  // that stayed as they are
    std::unordered_set<const FunctionText *> expanded_;
    std::uint64_t repeated_ = 0;          // of the nodes, those of functions that had been expanded before
    std::optional<std::uint64_t> again_;  // the nodes before the outermost of such functions that is being expanded
    bool full_ = false;                   // a limit has been reported
    std::deque<Definition> definitions_;
    std::unordered_map<std::string, std::optional<std::uint32_t>> by_key_;  // nothing: it has a mistake
    std::unordered_map<std::string, DeclaredForest> forests_;               // by file
    std::unordered_map<const NetworkText *, DeclaredNetwork> networks_;
    std::unordered_set<const FunctionText *> called_;
    std::vector<const FunctionText *> active_;  // functions that are being expanded, outermost first
    std::vector<NormalizerUse> normalizers_;
    bool in_normalizer_ = false;
};

}  // namespace tenrex::profile
