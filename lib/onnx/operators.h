// The operators that are imported: a table, operators.def, from their names to rules.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "lib/onnx/node_context.h"

namespace tenrex::onnx {

// Says what the outputs of a node are. False: it has told why they are not.
using ImportRule = bool (*)(NodeContext &context);

struct Operator {
    std::string_view domain;  // empty: ONNX's own
    std::string_view name;
    std::size_t inputs;  // so many at least
    AxesTaken axes;
    ImportRule import;
    bool is_elementwise = false;  // computes each element of those of its own place alone
};

std::span<const Operator> operators() noexcept;
// Null: it is not imported.
const Operator *find_operator(std::string_view domain, std::string_view name) noexcept;

// The function of x that gives the nearest whole number, of halves the even one.
inline constexpr std::string_view to_nearest_even = "if(x-floor(x)==0.5,2*floor((x+0.5)/2),floor(x+0.5))";
// The result of a function of each element, which is computed in double and rounded once; x in `body` is the element.
bool import_map(NodeContext &context, std::string_view body);
// A reduction over the axes that the node names: after(aggregator of before(x)).
struct Reduction {
    std::string_view before;
    std::string_view aggregator;
    std::string_view after;
};
bool import_reduction(NodeContext &context, const Reduction &reduction);

#define TENREX_ONNX_OPERATOR(op, inputs, axes, rule) bool rule(NodeContext &context);
#include "lib/onnx/operators.def"

}  // namespace tenrex::onnx
