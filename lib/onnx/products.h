// Products of matrices that several operators are made of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lib/onnx/node_context.h"

namespace tenrex::onnx {

// The axis that a product sums over.
inline constexpr std::string_view summed_axis = "k";

// The output of numpy's matmul of two values of which `left` and `right` stand for the cells, or what `of_sums` makes
// of it.
bool import_product(NodeContext &context, ElementType type, const Value &a, const Value &b, std::string_view left,
                    std::string_view right, const std::function<std::string(std::string_view sums)> &of_sums = {});
// The same of the values themselves, at the precision that was asked for if the second one is a constant matrix.
bool import_float_product(NodeContext &context, const Value &a, const Value &b, std::string_view after = {});
// Whole numbers, and what is subtracted of them before they are multiplied, if that is not null: a number, or one for
// each row of the first, each column of the second operand.
struct IntegerOperand {
    const Value &cells;
    const Value *zero = nullptr;
};
// The exact product of whole numbers of 8 bits by a constant matrix, by products of int8 cells. Nothing: they are
// others.
std::optional<std::string> sums_of_bytes(NodeContext &context, const IntegerOperand &a, const IntegerOperand &b);
// The exact product of whole numbers, of bytes where it can be.
bool import_integer_product(NodeContext &context, ElementType type, const IntegerOperand &a, const IntegerOperand &b,
                            const std::function<std::string(std::string_view sums)> &of_sums = {});
std::string without_zero_point(const IntegerOperand &operand, bool by_row);
// The number that a tensor of one element is.
std::string single(const Value &value);
// That, or the numbers of a list, one for each column of a product with so many axes.
std::string by_column(const Value &value, std::size_t rank);

}  // namespace tenrex::onnx
