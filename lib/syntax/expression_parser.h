// The parser: recursive descent for everything that nests, operator precedence with explicit stacks for everything that
// only goes on, so a long formula needs no deep stack. Names of failed things: a function that returns false or null
// has noted the failure in the scanner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/support/arena.h"
#include "lib/syntax/ast.h"
#include "lib/syntax/keywords.h"
#include "lib/syntax/parser.h"
#include "lib/syntax/scanner.h"
#include "lib/syntax/scratch.h"

namespace tenrex::syntax {

class ExpressionParser {
public:
    // The byte behind the text must be 0; the text must outlive the tree.
    ExpressionParser(std::string_view text, const ParseOptions &options);

    // The whole text as one expression; null after a failure.
    const Node *parse();

    const std::optional<Failure> &failure() const noexcept { return scan_.failure(); }
    std::vector<Span> &comments() noexcept { return scan_.comments(); }
    Arena &arena() noexcept { return arena_; }

private:
    // A prefix or infix operator that waits for its right operand.
    struct Operator {
        ScalarFunction function;
        std::uint8_t precedence;
        bool right;  // associates to the right
        Span span;
    };
    // A value with the text that it came from, parentheses included.
    struct Operand {
        const Node *node;
        Span extent;
        bool holds_in;  // an `in` stands at its left edge, not within parentheses
    };
    enum class Next : std::uint8_t { infix, in_set, end, failed };
    // A call that is being parsed.
    struct Site {
        std::string_view name;
        std::string_view signature;
        Span name_span;
        std::uint32_t open;  // where '(' stands

        std::string usage() const;  // for a hint
    };

    // Operators (parse_operators.cpp).
    const Node *expression();
    bool operand();
    const Node *negated_number(std::uint32_t begin);
    Next next_operator(Operator &found);
    Next infix(Operator &found, ScalarFunction function, std::uint32_t length);
    Next bad_operator();
    bool push_operator(Operator pending);
    void apply_operator();
    bool in_set(std::size_t first_operator);
    const Node *constant();

    // Values (parse_values.cpp).
    const Node *primary();
    const Node *number();
    const Node *string();
    const Node *named();
    const Node *called(std::string_view name, Span span, std::uint32_t open);
    const Node *conditional(const Site &site);
    const NumberNode *probability();
    const Node *switch_case(const Site &site);
    const Node *user_call(const Site &site);
    bool cell_type_follows(bool is_feature);

    // Symbols (parse_symbols.cpp).
    const Node *symbol(Span name);
    const Node *feature(Span name, std::uint32_t open);
    const Node *query_symbol();
    bool output_name(std::string_view &output);

    // Calls (parse_calls.cpp) and their arguments (parse_arguments.cpp).
    const Node *argument(const Site &site);
    bool comma(const Site &site);
    bool close(const Site &site);
    bool more(const Site &site, bool &another);
    Failed too_few(const Site &site);
    Failed too_many(const Site &site);
    const Node *scalar_call(const Site &site, ScalarFunction function);
    const Node *extremum(const Site &site, const Keyword &keyword);
    const Node *tensor_call(const Site &site, TensorFunction function);
    bool tensor_arguments(const Site &site, TensorCallNode &node);
    bool rename_arguments(const Site &site, TensorCallNode &node);
    bool dimension_list(const Site &site, std::span<const Name> &names);
    bool dimension(const Site &site, Name &name);
    // Where a dimension or the end of a call is expected: what was meant by a value, else the usage.
    std::string value_hint(const Site &site);
    bool aggregator(const Site &site, Aggregator &value);
    bool cell_type_argument(const Site &site, CellType &value);
    bool choice(const Site &site, std::string_view no, std::string_view yes, bool &value);
    const Lambda *lambda(const Site &site, std::size_t parameters);
    bool lambda_parameters(const Site &site, std::span<const Name> &names);

    // Types (parse_types.cpp).
    const TypeSpec *type_spec(std::uint32_t begin);
    bool cell_type(CellType &value);
    bool dimension_spec();
    bool dimension_size(const Name &name, std::uint64_t &size);
    bool possible_type(const TypeSpec &type);

    // Generators and literals (parse_literals.cpp).
    const Node *tensor_value(std::uint32_t begin);
    const Node *generator(std::uint32_t begin, const TypeSpec *type);
    const Node *literal(std::uint32_t begin, const TypeSpec *type);
    bool literal_cell(const TypeSpec &type, LiteralCell &cell);
    bool address_part(const TypeSpec &type, AddressPart &part);
    bool complete_address(const TypeSpec &type, const LiteralCell &cell);
    bool element(const TypeSpec &type, std::size_t level, LiteralElement &element);
    bool list_element(const TypeSpec &type, std::size_t level, LiteralElement &element);
    bool may_be_flat(const TypeSpec &type) const noexcept;
    bool flat_list(const TypeSpec &type, LiteralElement &element);
    void nest(const TypeSpec &type, std::size_t level, std::span<const LiteralElement> cells, LiteralElement &element);
    bool map_element(const TypeSpec &type, std::size_t level, LiteralElement &element);
    bool label(std::string_view followers, std::string_view &text, Span &span);

    // Peeks (parse_peeks.cpp).
    const Node *peek(const Operand &subject);
    const Node *index_peek(const Operand &subject);
    bool peek_entry(PeekEntry &entry, bool first);
    bool peek_label(PeekEntry &entry);
    void peek_expression(PeekEntry &entry, std::uint32_t label_end);

    bool enter();
    void leave() noexcept { --depth_; }
    bool closing(char c, std::uint32_t open, std::string_view expected);
    template <class T, class... Parts>
    const T *make(Kind kind, Span span, Parts &&...parts) {
        ++nodes_;
        return arena_.make<T>(Node{kind, span}, static_cast<Parts &&>(parts)...);
    }
    std::span<const Node *const> node_list(std::initializer_list<const Node *> nodes) {
        return arena_.copy(std::span<const Node *const>(nodes.begin(), nodes.size()));
    }
    bool java() const noexcept { return options_.dialect == Dialect::java; }
    // From `begin` to the character read last.
    Span since(std::uint32_t begin) const noexcept { return {begin, scan_.position()}; }

    ParseOptions options_;
    Scanner scan_;
    Arena arena_;
    Scratch scratch_;
    std::vector<Operator> operators_;
    std::vector<Operand> operands_;
    std::string buffer_;            // for symbols with white space
    std::optional<Failure> doubt_;  // why a label that looks odd is not an expression
    std::uint64_t nodes_ = 0;
    std::uint64_t guesses_;          // bytes that may still be read twice
    std::uint32_t depth_ = 0;        // expressions inside each other
    std::uint32_t chained_ins_ = 0;  // `in` applied to the result of an `in`
    Span extent_;                    // of the expression parsed last, with its parentheses
};

}  // namespace tenrex::syntax
