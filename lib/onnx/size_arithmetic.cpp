#include "lib/onnx/size_arithmetic.h"

#include <cmath>

#include <fmt/format.h>

namespace tenrex::onnx {

namespace {

// Nothing: it depends on the size.
std::optional<double> computed(SizeOperation operation, double a, double b) {
    const bool is_one_open = is_open_element(a) != is_open_element(b);
    const bool are_both_open = is_open_element(a) && is_open_element(b);
    switch (operation) {
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

bool is_on_open_sizes(const NodeContext &context) noexcept {
    return context.input(0).has_open_elements() || (context.has_input(1) && context.input(1).has_open_elements());
}

bool import_on_open_sizes(NodeContext &context, SizeOperation operation) {
    const Value &a = context.input(0);
    const Value &b = context.input(1);
    const auto shape = broadcast(a.shape, b.shape);
    const bool fits = shape && a.known != nullptr && b.known != nullptr && a.rank() <= 1 && b.rank() <= 1;
    const Value &open = a.has_open_elements() ? a : b;
    const Shape sizes = [&] {
        Shape result;
        for (const double element : *open.known) {
            result.push_back(size_of(element));
        }
        return result;
    }();
    if (!fits) {
        return context.fail_open("one of its inputs", sizes);
    }
    std::vector<double> numbers;
    for (std::size_t i = 0; i < elements_of(*shape); ++i) {
        const auto number =
            computed(operation, (*a.known)[a.known->size() == 1 ? 0 : i], (*b.known)[b.known->size() == 1 ? 0 : i]);
        if (!number) {
            return context.fail_open("one of its inputs", sizes);
        }
        numbers.push_back(*number);
    }
    return context.output_known(operation == SizeOperation::equal ? ElementType::boolean : a.type, *shape,
                                std::move(numbers));
}

bool import_cast_of_open_sizes(NodeContext &context, ElementType to) {
    Value value = context.input(0);
    if (info(to).kind == ElementKind::integer && info(to).bytes >= 4) {
        value.type = to;
        return context.output_value(std::move(value));
    }
    const auto sizes = context.known_integers(0);
    if (info(to).kind != ElementKind::real || sizes->size() != 1) {
        return context.fail_open("its input", *sizes);
    }
    context.depends_on_values();
    return context.output(to, value.shape,
                          fmt::format("{}reduce({},sum,d0)", value.rank() == 0 ? "" : "tensor<int8>(d0[1])(1)*",
                                      context.open_sizes().ones(sizes->front(), "d0")));
}

}  // namespace tenrex::onnx
