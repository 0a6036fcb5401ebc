// Products of matrices that runtimes make of several operators.
#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "lib/onnx/operators.h"
#include "lib/onnx/products.h"
#include "lib/onnx/quantizations.h"

namespace tenrex::onnx {

namespace {

// The value with its last two axes in the other order. Nothing: told.
std::optional<Value> with_last_axes_turned(NodeContext &context, const Value &value) {
    if (value.rank() < 2) {
        return value;
    }
    Axes to(value.rank());
    std::iota(to.begin(), to.end(), 0);
    std::swap(to[value.rank() - 1], to[value.rank() - 2]);
    Shape shape = value.shape;
    std::swap(shape[value.rank() - 1], shape[value.rank() - 2]);
    auto turned = context.part(value.type, shape, moved(value.text, to));
    if (turned) {
        turned->is_constant = value.is_constant;
        turned->turned = value.is_constant && value.rank() == 2 ? value.text : std::string();
    }
    return turned;
}

// What is behind the product of whole numbers: times both scales, plus the bias.
std::string scaled(NodeContext &context, std::size_t rank, const Value &first, const Value &second, std::size_t bias) {
    std::string text = fmt::format("*({}*{})", single(first), by_column(second, rank));
    if (context.has_input(bias)) {
        text += "+" + by_column(context.input(bias), rank);
    }
    return text;
}

}  // namespace

bool import_fused_mat_mul(NodeContext &context) {
    if (context.integer("transBatchA", 0) != 0 || context.integer("transBatchB", 0) != 0) {
        return context.fail("batches in another order are not supported");
    }
    std::optional<Value> operands[2];
    for (const std::size_t i : {0U, 1U}) {
        const bool is_turned = context.integer(i == 0 ? "transA" : "transB", 0) != 0;
        operands[i] = is_turned ? with_last_axes_turned(context, context.input(i)) : std::optional(context.input(i));
        if (!operands[i]) {
            return false;
        }
    }
    const double alpha = context.real("alpha", 1);
    return import_float_product(context, *operands[0], *operands[1],
                                alpha == 1 ? std::string() : "*" + number_text(alpha));
}

bool import_mat_mul_integer_to_float(NodeContext &context) {
    const Value &a = context.input(0);
    const Value &b = context.input(1);
    return import_integer_product(
        context, context.input(2).type, {a, context.find_input(4)}, {b, context.find_input(5)},
        [&](std::string_view sums) {
            return fmt::format("{}{}", sums,
                               scaled(context, std::max(a.rank(), b.rank()), context.input(2), context.input(3), 6));
        });
}

bool import_dynamic_quantize_mat_mul(NodeContext &context) {
    const Value &a = context.input(0);
    const Value &b = context.input(1);
    const auto quantized = dynamically_quantized(context, a);
    const auto whole = quantized ? context.part(ElementType::u8, a.shape, quantized->text) : std::nullopt;
    return whole && import_integer_product(context, a.type, {*whole, &quantized->zero}, {b, context.find_input(3)},
                                           [&](std::string_view sums) {
                                               return fmt::format("{}{}", sums,
                                                                  scaled(context, std::max(a.rank(), b.rank()),
                                                                         quantized->scale, context.input(2), 4));
                                           });
}

}  // namespace tenrex::onnx
