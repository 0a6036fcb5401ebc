// Products with weights at the precision that was asked for: both operands are rounded, as expressions say it.
#pragma once

#include <optional>
#include <string>

#include "lib/onnx/node_context.h"

namespace tenrex::onnx {

struct RoundedOperands {
    std::string left;   // over the axes of the first operand
    std::string right;  // over the axes of the weights
    // What makes numbers of the sums of whole numbers. Empty: they are what they are.
    std::string row_scale;      // over the axes of the first operand but its last one
    std::string row_middle;     // the same; it stands for a zero of the row
    std::string column_scale;   // over the axis d0
    std::string column_totals;  // the sums of the columns of the weights, the same

    bool is_scaled() const noexcept { return !row_scale.empty(); }
    // The product whose sums these are; its rows keep their axes, and columns are along this one.
    std::string product(std::string_view sums, std::size_t column_axis) const;
};

// The cells of a product of rows, summed over their last axis, with weights: a constant matrix whose axis `summed` is
// summed over. As they are, if the precision is f32 or one of them is of another type. Nothing: told.
std::optional<RoundedOperands> rounded_operands(NodeContext &context, const Value &rows, const Value &weights,
                                                std::size_t summed);

// A factor of a product of two values that no constant matrix is one of, as in attention: rounded to bfloat16 where
// products with weights are rounded.
std::string rounded_factor(const NodeContext &context, const Value &factor);

}  // namespace tenrex::onnx
