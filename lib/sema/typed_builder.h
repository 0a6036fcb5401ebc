// Makes the nodes of a typed tree: ids, uses, types that are one object each. It knows no rules: types are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/sema/typed_ast.h"

namespace tenrex::sema {

class TypedBuilder {
public:
    TypedBuilder();

    // From now on nodes stand at this place, whatever they are given; nothing: where they are given.
    void place_all(std::optional<Span> place) noexcept { place_ = place; }
    // The one object that stands for the type.
    const TensorType *intern(const TensorType &type);
    const TensorType *scalar_type() const noexcept { return scalar_; }
    std::string_view copy(std::string_view text) { return content_.arena.copy(text); }
    template <class T>
    std::span<const T> copy(const std::vector<T> &items) {
        return content_.arena.copy(items);
    }

    Expr *number(double value, Span span);
    Expr *string(std::string_view text, Span span);
    Expr *input(std::uint32_t index, const TensorType *type, Span span);
    Expr *parameter(std::uint32_t slot, const TensorType *type, Span span);
    // b is null for a function of one argument.
    Expr *call(ScalarFunction function, Expr *a, Expr *b, const TensorType *type, Span span);
    Expr *user_call(const UserFunction *function, std::span<Expr *const> arguments, const TensorType *type, Span span);
    Expr *in_set(Expr *subject, const std::vector<double> &set, const TensorType *type, Span span);
    Expr *conditional(Expr *condition, Expr *when_true, Expr *when_false, double probability, Span span);
    // map, map_subspaces, filter_subspaces
    Expr *map(Op op, Expr *operand, Expr *body, const TensorType *type, Span span);
    // join, merge
    Expr *join(Op op, Expr *a, Expr *b, Expr *body, const TensorType *type, Span span);
    // dimensions: sorted, and living as long as the tree, as those of the operand's type do.
    Expr *reduce(Expr *operand, Aggregator aggregator, const std::vector<std::string_view> &dimensions,
                 const TensorType *type, Span span);
    Expr *rename(Expr *operand, const std::vector<std::string_view> &from, const std::vector<std::string_view> &to,
                 const TensorType *type, Span span);
    Expr *concat(Expr *a, Expr *b, std::string_view dimension, const TensorType *type, Span span);
    Expr *cell_cast(Expr *operand, const TensorType *type, Span span);
    Expr *cell_order(Expr *operand, bool ascending, const TensorType *type, Span span);
    Expr *generate(std::uint32_t first_slot, const std::vector<std::uint32_t> &dimensions, Expr *body,
                   const TensorType *type, Span span);
    // The values of the cells and the computed labels of the parts have been given to use().
    Expr *literal(const std::vector<LiteralCellExpr> &cells, const TensorType *type, Span span);
    Expr *peek(Expr *operand, const std::vector<PeekPart> &parts, const TensorType *type, Span span);
    // A node that has one more user. Nodes are only const once they are in the tree.
    const Expr *use(Expr *expr) noexcept {
        ++expr->uses;
        return expr;
    }
    Expr *constant(Tensor value, Span span);
    Expr *to_mapped(Expr *operand, const std::vector<std::string_view> &dimensions, const TensorType *type, Span span);
    Expr *cut(Expr *operand, std::string_view dimension, std::uint64_t begin, std::uint64_t end, const TensorType *type,
              Span span);
    // The type follows from the number of outputs.
    Expr *forest(std::shared_ptr<const forest::Forest> forest, std::span<Expr *const> features, Span span);

    // What the tree owns.
    const Tensor *own(Tensor value);
    const UserFunction *own(const UserFunction &function);
    std::uint32_t add_input(InputUse use);
    const InputUse &input_use(std::uint32_t index) const noexcept { return content_.inputs[index]; }
    const TensorType *input_type(std::uint32_t index) const noexcept { return input_types_[index]; }

    std::uint64_t node_count() const noexcept { return content_.node_count; }
    TypedExpression finish(Expr *root, std::vector<Issue> warnings);

private:
    template <class T>
    T *make(Op op, const TensorType *type, Span span);

    TypedExpression::Content content_;
    std::optional<Span> place_;
    const TensorType *scalar_;
    std::vector<const TensorType *> input_types_;
    std::unordered_map<const UserFunction *, const UserFunction *> functions_;  // the schema's to our own
    // Few types occur in an expression, so a list by hash of their shape is short.
    std::unordered_multimap<std::size_t, const TensorType *> interned_;
};

}  // namespace tenrex::sema
