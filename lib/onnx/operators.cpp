#include "lib/onnx/operators.h"

#include <algorithm>

namespace tenrex::onnx {

namespace {

constexpr Operator operator_table[] = {
#define TENREX_ONNX_OPERATOR(op, inputs, axes, rule) {"", #op, inputs, AxesTaken::axes, rule},
#define TENREX_ONNX_OPERATOR_OF(domain, op, inputs, axes, rule) {domain, #op, inputs, AxesTaken::axes, rule},
#define TENREX_ONNX_ELEMENTWISE(op, inputs, axes, rule) {"", #op, inputs, AxesTaken::axes, rule, true},
#define TENREX_ONNX_MAP(op, body) \
    {"", #op, 1, AxesTaken::open, [](NodeContext &context) { return import_map(context, body); }, true},
#define TENREX_ONNX_REDUCTION(op, before, aggregator, after)             \
    {"", #op, 1, AxesTaken::open, [](NodeContext &context) {             \
         return import_reduction(context, {before, #aggregator, after}); \
     }},
#include "lib/onnx/operators.def"
};

}  // namespace

std::span<const Operator> operators() noexcept {
    return operator_table;
}

const Operator *find_operator(std::string_view domain, std::string_view name) noexcept {
    const std::string_view wanted = domain == "ai.onnx" ? std::string_view() : domain;
    const auto *const found =
        std::find_if(std::begin(operator_table), std::end(operator_table),
                     [&](const Operator &row) { return row.name == name && row.domain == wanted; });
    return found == std::end(operator_table) ? nullptr : found;
}

}  // namespace tenrex::onnx
