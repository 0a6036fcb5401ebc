// Walks a typed tree with a stack of its own, so that no expression, however long or deep, can exhaust the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <tenrex/bounded_tensor.h>
#include <tenrex/limits.h>
#include <tenrex/tensor.h>

#include "lib/reference/operations.h"
#include "lib/reference/value.h"
#include "lib/sema/typed_ast.h"

namespace tenrex::reference {

class Evaluator {
public:
    // What is given must outlive the evaluator. bounds: whether the result's are wanted.
    Evaluator(const sema::TypedExpression &expression, std::span<const Tensor> inputs, const Limits &limits,
              bool bounds);

    // Throws Failure, std::bad_alloc, or what a user function throws. Without bounds they are 0.
    BoundedTensor result();
    // What was being evaluated when it threw.
    Span where() const noexcept { return workspace_.budget.where; }

private:
    // The values of the parameters that are visible, and the generators around: what is known in an outer scope stays
    // the same for all cells of an inner one.
    struct Scope {
        std::uint32_t first_slot;
        std::uint64_t stamp;  // differs for each cell of a generator and each call of a lambda
    };
    struct Call {
        std::vector<Value> slots;
        std::vector<Scope> scopes;
    };
    // A node whose operands are being evaluated.
    struct Task {
        const sema::Expr *expr;
        std::size_t next;         // operand to begin next
        std::size_t first_value;  // place of the operands' values on the stack
    };
    // Facts about a node, and its last value if it may be asked for again.
    struct Note {
        std::uint64_t slots = 0;  // a bit for each slot that the value depends on; the last one stands for all others
        std::uint64_t stamp = 0;  // of the scope that `value` holds for
        Value value;
    };

    void note_slots(const sema::Expr &root);
    Value run(const sema::Expr &root);
    void begin(const sema::Expr &expr);
    const sema::Expr *next_operand(Task &task);
    const sema::Expr *next_branch(Task &task);
    void finish();
    std::uint64_t kept_until(const sema::Expr &expr) const noexcept;

    Value apply(const sema::Expr &expr, std::size_t first_value);
    UnaryFunction unary_function(const sema::Expr &expr);
    BinaryFunction binary_function(const sema::Expr &expr);
    Number user_number(const sema::UserCallExpr &expr, std::span<const Number> arguments);
    std::function<Value(std::span<const Value>)> lambda_of(const sema::Expr &expr);
    Value user_call(const sema::UserCallExpr &expr, std::size_t first_value);
    Value aggregate(const sema::ReduceExpr &expr, std::size_t first_value);
    Value generate(const sema::GenerateExpr &expr);
    Value peek_at(const sema::PeekExpr &expr, std::size_t first_value);
    Value of_subspaces(const sema::Expr &expr, std::size_t first_value);
    Value sums_of_forest(const sema::ForestExpr &expr, std::size_t first_value);
    const Value &constant(const sema::ConstantExpr &expr);

    // ---- sizes.cpp: the types of results, whose open dimensions have the sizes that those of the operands have
    const TensorType &type_of(const sema::Expr &expr, const Value &operand);
    // Throws Failure if the sizes of a dimension that both have differ.
    const TensorType &type_of(const sema::Expr &expr, const Value &a, const Value &b);
    // Of a peek at tensors of indexes: the operand comes first. Throws likewise.
    const TensorType &type_of(const sema::PeekExpr &expr, std::span<const Value> operands);
    // Of cells that are computed from those of a value of the other type.
    const TensorType &type_like(const TensorType &type, const TensorType &other);
    const TensorType &intern(const TensorType &type);
    Failure other_size(std::string_view dimension, std::uint64_t size, const sema::Expr &expr, std::uint64_t other_size,
                       const sema::Expr &other) const;

    const sema::TypedExpression &expression_;
    std::span<const Tensor> given_;
    Workspace workspace_;
    std::vector<Value> inputs_;
    std::unordered_map<const Tensor *, Value> constants_;
    std::map<std::string, TensorType> types_;  // of values, by their texts
    std::vector<Note> notes_;                  // by id
    std::vector<Task> tasks_;
    std::vector<Value> values_;
    Call *call_ = nullptr;
    std::uint64_t last_stamp_ = 0;
};

}  // namespace tenrex::reference
