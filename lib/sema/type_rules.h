// The type rules of the language, one function per operation: operand types in, result type or the reason why not.
// The checker reports the reasons; the graph builder and the oracle reuse the rules.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <tenrex/limits.h>
#include <tenrex/tensor_type.h>

namespace tenrex::sema {

// Why an operation is not possible. The message does not repeat the operation and its types.
struct TypeProblem {
    std::string message;
    std::string hint;
};
using TypeOrProblem = std::variant<TensorType, TypeProblem>;

// The cell type of an operation on both: a scalar side does not count; equal stays; any double gives double; else
// float.
CellType unify(const TensorType &a, const TensorType &b) noexcept;

TypeOrProblem map_type(const TensorType &operand);
// Java dialect: a dimension that is mapped on one side and indexed on the other is mapped in the result.
TypeOrProblem join_type(const TensorType &a, const TensorType &b, bool java, const Limits &limits);
// Both must have the same dimensions. Java dialect: they may be mapped on one side only, as in join; vectors (one
// dimension, indexed) may differ in length, then the result has the greater one.
TypeOrProblem merge_type(const TensorType &a, const TensorType &b, bool java, const Limits &limits);
// No dimensions: all.
TypeOrProblem reduce_type(const TensorType &operand, std::span<const std::string_view> dimensions);
TypeOrProblem rename_type(const TensorType &operand, std::span<const std::string_view> from,
                          std::span<const std::string_view> to);
// Java dialect: another indexed dimension of unequal sizes gets the smaller size.
TypeOrProblem concat_type(const TensorType &a, const TensorType &b, std::string_view dimension, bool java,
                          const Limits &limits);
TypeOrProblem cell_cast_type(const TensorType &operand, CellType cell_type);
// The branches of `if` must have the same type. Java dialect: the same dimensions, of equal size where both are
// indexed; mapped on either side gives mapped; cell types are unified.
TypeOrProblem conditional_type(const TensorType &when_true, const TensorType &when_false, bool java);
TypeOrProblem peek_type(const TensorType &operand, std::span<const std::string_view> dimensions);
// What the lambda of map_subspaces and filter_subspaces receives: the dense block.
TensorType block_type(const TensorType &operand);
TypeOrProblem map_subspaces_type(const TensorType &operand, const TensorType &lambda_result, const Limits &limits);
TypeOrProblem filter_subspaces_type(const TensorType &operand);
// The given indexed dimensions become mapped; with cut_type these are the conversions of the Java dialect.
TensorType to_mapped_type(const TensorType &operand, std::span<const std::string_view> dimensions);
TensorType cut_type(const TensorType &operand, std::string_view dimension, std::uint64_t begin, std::uint64_t end);

// The names of the dimensions of a type, for hints: "x, y".
std::string dimension_list(const TensorType &type);

}  // namespace tenrex::sema
