// What a node looks like: patterns of passes, and of the lowering, are put together from these.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>

#include "lib/ir/graph.h"

namespace tenrex::optimizer {

inline bool applies(const ir::Node &node, ScalarFunction function) {
    return node.op == ir::Op::apply && node.as<ir::Apply>().function == function;
}

inline bool is_reduction(const ir::Node &node, Aggregator aggregator) {
    return node.op == ir::Op::reduce && node.as<ir::Reduce>().aggregator == aggregator;
}

// Whether it says which of two numbers is the larger one.
inline bool is_order(const ir::Node &node) {
    return applies(node, ScalarFunction::less) || applies(node, ScalarFunction::less_equal) ||
           applies(node, ScalarFunction::greater) || applies(node, ScalarFunction::greater_equal);
}

// The largest or the smallest.
inline bool is_extreme(const ir::Node &node) {
    return is_reduction(node, Aggregator::max) || is_reduction(node, Aggregator::min);
}

inline bool is_sum_of_products(const ir::Node &node) {
    return node.op == ir::Op::contract && node.as<ir::Contract>().terms.is_sum_of_products();
}

inline bool is_number(const ir::Node &node, double number) {
    return node.is_number() && node.number() == number;
}

// Two operands as they stand, and the other way round: for (const auto &[a, b] : either_order(node.operands)).
inline std::array<std::pair<ir::NodeId, ir::NodeId>, 2> either_order(std::span<const ir::NodeId> operands) {
    return {{{operands[0], operands[1]}, {operands[1], operands[0]}}};
}

}  // namespace tenrex::optimizer
