// Products of matrices that several operators are made of.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lib/onnx/node_context.h"

namespace tenrex::onnx {

// The output of numpy's matmul of two values of which `left` and `right` stand for the cells, or what `of_sums` makes
// of it.
bool import_product(NodeContext &context, ElementType type, const Value &a, const Value &b, std::string_view left,
                    std::string_view right, const std::function<std::string(std::string_view sums)> &of_sums = {});
// The same of the values themselves, at the precision that was asked for if the second one is a constant matrix.
bool import_float_product(NodeContext &context, const Value &a, const Value &b, std::string_view after = {});
// The cells without a zero point, if the node has that input: a number, or one for each row of the first, each column
// of the second operand.
std::string without_zero_point(NodeContext &context, const Value &value, std::size_t zero_point, bool by_row);
// The number that a tensor of one element is.
std::string single(const Value &value);

}  // namespace tenrex::onnx
