// The typed tree: only primitives, every node with its type. Surface forms have been expanded, symbols resolved.
//
// Expansion may use a node more than once (softmax(t,d) uses t twice): the tree is a DAG, in lambda bodies too
// (switch(d) uses d once for each case). Whoever walks it must not visit a node once for each path to it. A node's `id`
// is smaller than those of its users, so a pass over ids in order sees operands first. Ids are below node_count(); a
// node that is of no use any more (a constant label that was folded) leaves a gap.
//
// Depth. Two kinds of paths may be as long as the text allows: along first operands (a long sum: CallExpr::a,
// UserCallExpr::arguments[0], InExpr::subject, PeekExpr::operand) and along IfExpr::when_false (a long switch). Besides
// those, the depth is at most a small multiple of Limits::nesting. So walk these two with a loop, the rest may recurse.
//
// Scopes. The parameters of a lambda are numbered from 0 in a scope of their own: a lambda body sees nothing else.
// A generator adds its dimensions, in the order written, behind the parameters of the scope it stands in; what stands
// in its body but does not use them may be shared with what stands outside.
//
// The tree means the same in both dialects. Where the Java dialect converts an operand, the conversion is a node of its
// own: to_mapped, cut, cell_cast.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/issue.h>
#include <tenrex/schema.h>
#include <tenrex/tensor_type.h>

#include "lib/support/arena.h"
#include "lib/support/scalar_function.h"
#include "lib/syntax/tensor_function.h"

namespace tenrex::forest {
struct Forest;
}

namespace tenrex::sema {

enum class Op : std::uint8_t {
    number,            // NumberExpr
    input,             // InputExpr
    parameter,         // ParameterExpr
    call,              // CallExpr: scalar function per cell; two arguments join
    user_call,         // UserCallExpr
    in_set,            // InExpr: 1 for each cell that is in the set, else 0
    conditional,       // IfExpr
    map,               // MapExpr
    join,              // JoinExpr
    merge,             // JoinExpr
    reduce,            // ReduceExpr
    rename,            // RenameExpr
    concat,            // ConcatExpr
    cell_cast,         // CellCastExpr: to the cell type of the result
    cell_order,        // CellOrderExpr
    map_subspaces,     // MapExpr
    filter_subspaces,  // MapExpr
    generate,          // GenerateExpr
    literal,           // LiteralExpr
    peek,              // PeekExpr
    constant,          // ConstantExpr
    to_mapped,         // ToMappedExpr
    cut,               // CutExpr
    forest,            // ForestExpr
};

struct Expr {
    Op op;
    bool is_scalar_code;  // this node and all below it are numbers, parameters, scalar and user calls, `in` and `if`,
                          // and all of them are doubles; always so for the bodies of map, join and merge
    bool is_string;       // a number that stands for a string
    std::uint32_t id;     // from 0, unique in the TypedExpression
    std::uint32_t uses;   // how many nodes have it as an operand (or 1 for a root or lambda body)
    const TensorType *type;
    Span span;  // the source text that this comes from
};

struct NumberExpr : Expr {
    double value;
};
struct InputExpr : Expr {
    std::uint32_t input;  // index into TypedExpression::inputs()
};
struct ParameterExpr : Expr {
    std::uint32_t slot;
};
struct CallExpr : Expr {
    ScalarFunction function;
    const Expr *a;
    const Expr *b;  // null if the function has one argument
};
// One or two arguments: cell by cell, as CallExpr. More: all arguments are doubles.
struct UserCallExpr : Expr {
    const UserFunction *function;  // owned by the TypedExpression
    std::span<const Expr *const> arguments;
};
struct InExpr : Expr {
    const Expr *subject;
    std::span<const double> set;
};
struct IfExpr : Expr {
    const Expr *condition;  // a tensor condition has been wrapped in a sum: always a double
    const Expr *when_true;
    const Expr *when_false;
    double probability;
};
struct LambdaExpr {
    std::uint32_t parameter_count;
    const Expr *body;
};
// map: the parameter is a double. map_subspaces, filter_subspaces: the parameter is the dense block (block_type() of
// the operand's type). The body of filter_subspaces is a double: a tensor has been wrapped in a sum.
struct MapExpr : Expr {
    const Expr *operand;
    LambdaExpr lambda;
};
struct JoinExpr : Expr {  // join, merge
    const Expr *a;
    const Expr *b;
    LambdaExpr lambda;
};
struct ReduceExpr : Expr {
    const Expr *operand;
    Aggregator aggregator;
    std::span<const std::string_view> dimensions;  // those that go, sorted; never empty unless the operand is a scalar
};
struct RenameExpr : Expr {
    const Expr *operand;
    std::span<const std::string_view> from;
    std::span<const std::string_view> to;
};
// The name that a dimension of the result has in the operand.
inline std::string_view old_name(const RenameExpr &rename, std::string_view name) noexcept {
    for (std::size_t i = 0; i < rename.to.size(); ++i) {
        if (rename.to[i] == name) {
            return rename.from[i];
        }
    }
    return name;
}
struct ConcatExpr : Expr {
    const Expr *a;
    const Expr *b;
    std::string_view dimension;
};
struct CellCastExpr : Expr {
    const Expr *operand;
};
struct CellOrderExpr : Expr {
    const Expr *operand;
    bool ascending;  // rank 0 is the smallest cell
};
struct GenerateExpr : Expr {
    std::uint32_t first_slot;                   // slot of the first dimension
    std::span<const std::uint32_t> dimensions;  // per slot: position in type->dimensions()
    const Expr *body;
};
// One cell of a literal. Only the first cell of an address counts; the checker has dropped the others.
struct LiteralCellExpr {
    std::span<const std::string_view> labels;  // of the mapped dimensions, in the type's order
    std::uint64_t index;                       // within the dense block
    const Expr *value;
};
struct LiteralExpr : Expr {
    std::span<const LiteralCellExpr> cells;
};
struct PeekPart {
    std::string_view dimension;
    std::string_view label;  // mapped dimension, if `expression` is null
    std::uint64_t index;     // indexed dimension, if `expression` is null
    const Expr *expression;  // computed label: a double, truncated to int64; null if known. Mapped: the decimal text
                             // of the integer; out of the range of int64 or NaN it is a label that does not occur.
                             // Indexed: may also be a tensor of indexes, without mapped dimensions
};
struct PeekExpr : Expr {
    const Expr *operand;
    std::span<const PeekPart> parts;  // one for each dimension that goes, in the order written
};
// A value known when the expression is checked, other than a number: random(...).
struct ConstantExpr : Expr {
    const Tensor *value;  // owned by the TypedExpression
};
// Indexed dimensions become mapped: a block with index 7 gets the label "7". All blocks of cells exist, zeros included.
struct ToMappedExpr : Expr {
    const Expr *operand;
    std::span<const std::string_view> dimensions;  // those that change, sorted
};
// Indexes [begin, end) of an indexed dimension; index `begin` becomes 0.
struct CutExpr : Expr {
    const Expr *operand;
    std::string_view dimension;
    std::uint64_t begin;
    std::uint64_t end;
};

// The sums of a forest: a double, or tensor(class[k]) if it has several outputs. Features depend on neither lambdas nor
// generators.
struct ForestExpr : Expr {
    const forest::Forest *forest;           // owned by the TypedExpression
    std::span<const Expr *const> features;  // doubles, one for each feature of the forest
};

// A node as its op's struct; the caller has looked at the op.
template <class T>
const T &as(const Expr &expr) noexcept {
    return static_cast<const T &>(expr);
}

struct InputUse {
    std::string name;
    TensorType type;
    Stage stage;
    const Tensor *value;  // of a constant; owned by the TypedExpression
    Span first_use;
    bool is_string = false;
};

// A checked expression, self-contained: it does not refer to the syntax tree or the schema. Movable.
class TypedExpression {
public:
    struct Content {
        Arena arena;
        const Expr *root = nullptr;
        std::uint32_t node_count = 0;
        std::vector<InputUse> inputs;                                // in the order of first use
        std::vector<std::unique_ptr<TensorType>> types;              // what Expr::type points to
        std::vector<std::unique_ptr<UserFunction>> functions;        // what UserCallExpr::function points to
        std::vector<std::unique_ptr<Tensor>> constants;              // what InputUse and ConstantExpr point to
        std::vector<std::string> strings;                            // the texts of strings that are numbers here
        std::vector<std::shared_ptr<const forest::Forest>> forests;  // what ForestExpr::forest points to, each once
        std::vector<Issue> warnings;
    };
    explicit TypedExpression(Content content) : content_(std::move(content)) {}

    const Expr &root() const noexcept { return *content_.root; }
    const TensorType &type() const noexcept { return *content_.root->type; }
    std::uint32_t node_count() const noexcept { return content_.node_count; }
    const std::vector<InputUse> &inputs() const noexcept { return content_.inputs; }
    // Each type that a node has, once.
    const std::vector<std::unique_ptr<TensorType>> &types() const noexcept { return content_.types; }
    const std::vector<std::string> &strings() const noexcept { return content_.strings; }
    const std::vector<std::shared_ptr<const forest::Forest>> &forests() const noexcept { return content_.forests; }
    const std::vector<Issue> &warnings() const noexcept { return content_.warnings; }

private:
    Content content_;
};

}  // namespace tenrex::sema
