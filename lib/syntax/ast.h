// The syntax tree of an expression, as written: surface forms are kept, nothing is typed or folded, except that a minus
// in front of a number literal belongs to the number.
//
// Nodes live in the arena of their Ast and are plain data. A chain of left-associative binary operators or of peeks may
// be as long as the text allows and leans to the left; everything else is nested at most Limits::nesting deep (and
// twice that with `in` applied to its own result). So code that walks the tree iterates along left operands and may
// recurse elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/cell_type.h>
#include <tenrex/dialect.h>
#include <tenrex/issue.h>

#include "lib/support/arena.h"
#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::syntax {

enum class Kind : std::uint8_t {
    number,       // NumberNode
    string,       // StringNode
    symbol,       // SymbolNode
    call,         // CallNode: operator or scalar function, 1 or 2 arguments
    user_call,    // UserCallNode
    in_set,       // InNode
    conditional,  // IfNode
    switch_case,  // SwitchNode
    tensor_call,  // TensorCallNode: map, reduce, softmax, ...
    generator,    // GeneratorNode: tensor(x[3])(expr)
    literal,      // LiteralNode: tensor(x[3]):[...]
    peek,         // PeekNode: t{x:1}
};

struct Node {
    Kind kind;
    Span span;  // the text of the whole node, without parentheses around it
};

// A name as written, with its place.
struct Name {
    std::string_view text;
    Span span;
};

struct NumberNode : Node {
    double value;
};

// A string used as a value: its bytes after unescaping. Its meaning is a hash, string_number().
struct StringNode : Node {
    std::string_view text;
};

// A parameter or feature. `text` is the whole symbol with white space outside quotes removed: "query(q).out".
// For a feature call, `base` is the name before '(', `arguments` the top-level arguments, `output` what follows ')'.
struct SymbolNode : Node {
    std::string_view text;
    std::string_view base;
    std::span<const Name> arguments;
    std::string_view output;
    bool is_call;
};

struct CallNode : Node {
    ScalarFunction function;
    Span name_span;  // the operator or function name
    std::span<const Node *const> arguments;
};

// A call of a function whose name the parser was told (ParseOptions::user_functions).
struct UserCallNode : Node {
    Name name;
    std::span<const Node *const> arguments;
};

// subject in [entries]
struct InNode : Node {
    const Node *subject;
    std::span<const Node *const> entries;  // core: NumberNode or StringNode; Java dialect: any expression
};

struct IfNode : Node {
    const Node *condition;
    const Node *when_true;
    const Node *when_false;
    const NumberNode *probability;  // that the condition holds; null if not given
};

struct SwitchCase {
    const Node *value;
    const Node *result;
};
struct SwitchNode : Node {
    const Node *subject;
    std::span<const SwitchCase> cases;
    const Node *otherwise;
};

struct Lambda {
    Span span;
    std::span<const Name> parameters;
    const Node *body;
};

struct DimensionSpec {
    Name name;
    std::uint64_t size;  // 0: mapped
};
// A type as written: dimensions in the order of the text.
struct TypeSpec {
    Span span;
    CellType cell_type;
    std::span<const DimensionSpec> dimensions;
};

struct TensorCallNode : Node {
    TensorFunction function;
    Span name_span;
    std::span<const Node *const> arguments;  // the operands that are expressions, in order
    std::span<const Name> names;             // dimensions, in order; for rename the `from` names
    std::span<const Name> new_names;         // rename: the `to` names
    const Lambda *lambda;                    // map, join, merge, map_subspaces, filter_subspaces
    const TypeSpec *type;                    // range, diag, random
    Aggregator aggregator;                   // reduce and its short forms avg .. sum
    CellType cell_type;                      // cell_cast, unpack_bits
    bool ascending;                          // cell_order: min; unpack_bits: little
};

struct GeneratorNode : Node {
    const TypeSpec *type;
    const Node *body;
};

// Part of a short literal: a list (children, each for the next index), a map (children with labels), or a cell.
struct LiteralElement {
    Span span;
    std::string_view label;  // of an element of a map
    bool is_map;             // of an element with children: written {...}, not [...]
    const Node *value;       // a cell; null for lists and maps
    std::span<const LiteralElement> children;
};
struct AddressPart {
    Name dimension;
    std::string_view label;
    Span label_span;
};
// A cell of a verbose literal.
struct LiteralCell {
    Span span;
    std::span<const AddressPart> address;
    const Node *value;
};
struct LiteralNode : Node {
    const TypeSpec *type;
    bool verbose;
    std::span<const LiteralCell> cells;  // verbose
    LiteralElement body;                 // short
};

struct PeekEntry {
    Span span;
    Name dimension;          // empty text: short form, the only mapped or indexed dimension
    bool short_index;        // t[expr]
    bool has_label;          // a label was written: `label` holds it
    bool quoted;             // the label was quoted, so it is never read as an expression
    std::string_view label;  // unescaped
    // (expr), [expr] or an expression that is no label, such as max(i,1); beside an unquoted label: the same text read
    // as an expression, if it is one and more than a name or number.
    const Node *expression;
};
struct PeekNode : Node {
    const Node *subject;
    std::span<const PeekEntry> entries;
};

// A node as its kind's struct; the caller has looked at the kind.
template <class T>
const T &as(const Node &node) noexcept {
    return static_cast<const T &>(node);
}

// A parsed expression. Movable; nodes stay where they are.
class Ast {
public:
    Ast(std::shared_ptr<const std::string> source, Arena arena, const Node *root, std::vector<Span> comments,
        Dialect dialect)
        : source_(std::move(source)),
          arena_(std::move(arena)),
          root_(root),
          comments_(std::move(comments)),
          dialect_(dialect) {}

    const Node &root() const noexcept { return *root_; }
    const std::string &source() const noexcept { return *source_; }
    // From '#' to the end of the line, in the order of the text.
    const std::vector<Span> &comments() const noexcept { return comments_; }
    Dialect dialect() const noexcept { return dialect_; }
    std::size_t memory_bytes() const noexcept { return arena_.bytes(); }

private:
    std::shared_ptr<const std::string> source_;
    Arena arena_;
    const Node *root_;
    std::vector<Span> comments_;
    Dialect dialect_;
};

}  // namespace tenrex::syntax
