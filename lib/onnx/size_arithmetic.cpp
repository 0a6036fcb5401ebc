#include "lib/onnx/size_arithmetic.h"

#include <cmath>
#include <utility>

namespace tenrex::onnx {

namespace {

// Whether it is a number that a size may be, or an open one.
bool is_size(double element) {
    return is_open_element(element) || (element >= 0 && element < 1e9 && element == std::trunc(element));
}

std::optional<double> as_element(std::optional<std::int64_t> size) {
    return size ? std::optional(element_of(*size)) : std::nullopt;
}

// Nothing: it depends on the size.
std::optional<double> computed(NodeContext &context, SizeOperation operation, double a, double b) {
    const bool is_one_open = is_open_element(a) != is_open_element(b);
    const bool are_both_open = is_open_element(a) && is_open_element(b);
    const bool are_known = !is_one_open && !are_both_open;
    const auto difference = [&](double from, double less) {
        return is_size(from) && is_size(less) ? as_element(context.difference_of_sizes(size_of(from), size_of(less)))
                                              : std::nullopt;
    };
    switch (operation) {
        case SizeOperation::none:
            return std::nullopt;
        case SizeOperation::add:
            if (are_known) {
                return a + b;
            }
            if (is_size(a) && is_size(b)) {
                return as_element(context.sum_of_sizes(size_of(a), size_of(b)));
            }
            return is_open_element(a) ? difference(a, -b) : difference(b, -a);
        case SizeOperation::subtract:
            if (are_known) {
                return a - b;
            }
            if (is_open_element(a) && is_size(-b)) {
                return as_element(context.sum_of_sizes(size_of(a), size_of(-b)));
            }
            return difference(a, b);
        case SizeOperation::multiply: {
            if (are_known) {
                return a * b;
            }
            const auto [size, times] = is_open_element(a) ? std::pair(a, b) : std::pair(b, a);
            constexpr double most = 4;  // more often it is no sequence, but a count of elements
            if (are_both_open || !is_size(times) || times > most) {
                return std::nullopt;
            }
            std::optional<double> product = 0;
            for (double i = 0; i < times && product; ++i) {
                product = as_element(context.sum_of_sizes(size_of(*product), size_of(size)));
            }
            return product;
        }
        case SizeOperation::divide:
            return are_known ? std::optional(std::trunc(a / b))
                   : b == 1  ? std::optional(a)
                   : a == b  ? std::optional(1.0)
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

std::optional<std::vector<double>> computed_sizes(NodeContext &context, SizeOperation operation, const Shape &shape) {
    const Value &a = context.input(0);
    const Value &b = context.input(1);
    if (operation == SizeOperation::none || a.known == nullptr || b.known == nullptr || shape.size() > 1) {
        return std::nullopt;
    }
    std::vector<double> numbers;
    for (std::size_t i = 0; i < elements_of(shape); ++i) {
        const auto number = computed(context, operation, (*a.known)[a.known->size() == 1 ? 0 : i],
                                     (*b.known)[b.known->size() == 1 ? 0 : i]);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

}  // namespace tenrex::onnx
