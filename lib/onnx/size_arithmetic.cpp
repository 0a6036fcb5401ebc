#include "lib/onnx/size_arithmetic.h"

#include <cmath>

namespace tenrex::onnx {

namespace {

// Nothing: it depends on the size.
std::optional<double> computed(SizeOperation operation, double a, double b) {
    const bool is_one_open = is_open_element(a) != is_open_element(b);
    const bool are_both_open = is_open_element(a) && is_open_element(b);
    switch (operation) {
        case SizeOperation::none:
            return std::nullopt;
        case SizeOperation::add:
            return are_both_open  ? std::nullopt
                   : !is_one_open ? std::optional(a + b)
                   : a == 0       ? std::optional(b)
                   : b == 0       ? std::optional(a)
                                  : std::nullopt;
        case SizeOperation::subtract:
            return !is_one_open && !are_both_open ? std::optional(a - b)
                   : b == 0                       ? std::optional(a)
                   : a == b                       ? std::optional(0.0)
                                                  : std::nullopt;
        case SizeOperation::multiply:
            return are_both_open  ? std::nullopt
                   : !is_one_open ? std::optional(a * b)
                   : a == 1       ? std::optional(b)
                   : b == 1       ? std::optional(a)
                                  : std::nullopt;
        case SizeOperation::divide:
            return !is_one_open && !are_both_open ? std::optional(std::trunc(a / b))
                   : b == 1                       ? std::optional(a)
                   : a == b                       ? std::optional(1.0)
                                                  : std::nullopt;
        case SizeOperation::equal:
            // A size is never below 0.
            if (is_one_open && a >= 0) {
                return std::nullopt;
            }
            if (is_one_open && b >= 0) {
                return std::nullopt;
            }
            return are_both_open && a != b ? std::nullopt : std::optional(a == b ? 1.0 : 0.0);
    }
    __builtin_unreachable();
}

}  // namespace

std::optional<std::vector<double>> computed_sizes(const NodeContext &context, SizeOperation operation,
                                                  const Shape &shape) {
    const Value &a = context.input(0);
    const Value &b = context.input(1);
    if (operation == SizeOperation::none || a.known == nullptr || b.known == nullptr || shape.size() > 1) {
        return std::nullopt;
    }
    std::vector<double> numbers;
    for (std::size_t i = 0; i < elements_of(shape); ++i) {
        const auto number =
            computed(operation, (*a.known)[a.known->size() == 1 ? 0 : i], (*b.known)[b.known->size() == 1 ? 0 : i]);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

}  // namespace tenrex::onnx
