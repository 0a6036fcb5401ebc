// Operators that store numbers as small whole numbers, with a scale and a zero point.
#include "lib/onnx/quantizations.h"
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// How the scales of x stand: one for all, for each index of an axis, or for each block of indexes of an axis.
struct Scales {
    std::size_t axis = 0;
    std::int64_t block = 0;
    std::int64_t size = 0;  // of the axis
};

// A scale or zero point as a factor of x.
std::string scales_of(const Value &value, const Scales &scales) {
    if (scales.block != 0) {
        Axes axes(value.rank());
        std::iota(axes.begin(), axes.end(), 0);
        return taken(
            value,
            {{scales.axis, fmt::format("tensor(d{0}[{1}])(floor(d{0}/{2}))", scales.axis, scales.size, scales.block)}},
            axes);
    }
    if (value.elements() == 1) {
        return cell_at(value.text, std::vector<std::string>(value.rank(), "0"));
    }
    return value.rank() == 1 ? moved(value.text, {scales.axis}) : value.text;
}

// Nothing: told.
std::optional<Scales> scales_along(NodeContext &context) {
    const Value &x = context.input(0);
    const std::int64_t block = context.integer("block_size", 0);
    if (block == 0 && context.input(1).elements() == 1) {
        return Scales{};
    }
    const auto axis = context.axis(context.integer("axis", 1), x.rank());
    if (!axis || block == 0) {
        return axis ? std::optional(Scales{*axis, 0, 0}) : std::nullopt;
    }
    Shape expected = x.shape;
    if (is_open(x.shape[*axis])) {
        context.fail_open("the shape of its input", x.shape);
        return std::nullopt;
    }
    expected[*axis] = block > 0 ? (x.shape[*axis] - 1) / block + 1 : 0;
    if (context.input(1).shape != expected) {
        context.fail(
            fmt::format("scales of shape {} are not one for each {} indexes of axis {} of a tensor of shape {}",
                        context.text_of(context.input(1).shape), block, *axis, context.text_of(x.shape)));
        return std::nullopt;
    }
    return Scales{*axis, block, x.shape[*axis]};
}

// Cells in double: the sums of the operators are exact there.
std::string in_double(const std::string &text, const Value &value) {
    return value.rank() == 0 ? text : fmt::format("cell_cast({},double)", text);
}

// Rounded and cut off at the ends of the type.
std::string saturated(std::string_view whole, ElementType type) {
    const bool wide = info(type).bytes == 2;
    const double low = is_unsigned(type) ? 0 : wide ? -32768 : -128;
    const double high = low + (wide ? 65535 : 255);
    return fmt::format("max({},min({},{}))", number_text(low), number_text(high), whole);
}

}  // namespace

bool import_quantize_linear(NodeContext &context) {
    const Value &x = context.input(0);
    const auto scales = scales_along(context);
    if (!scales) {
        return false;
    }
    const auto named = element_type_from_number(context.integer("output_dtype", 0));
    const ElementType type = context.has_input(2) ? context.input(2).type : named.value_or(ElementType::u8);
    if (info(type).kind != ElementKind::integer || info(type).bytes > 2) {
        return context.fail(fmt::format("it makes {}, which is not supported", info(type).name));
    }
    // The quotient is rounded to float, as the operator says, before it is made a whole number.
    const std::string quotient = fmt::format("({}/{})", x.text, scales_of(context.input(1), *scales));
    std::string whole = fmt::format("map({},f(x)({}))", in_double(quotient, x), to_nearest_even);
    if (context.has_input(2)) {
        whole = fmt::format("({}+{})", whole, scales_of(context.input(2), *scales));
    }
    return context.output(type, x.shape, saturated(whole, type));
}

bool import_dequantize_linear(NodeContext &context) {
    const Value &x = context.input(0);
    const auto scales = scales_along(context);
    if (!scales) {
        return false;
    }
    std::string text = x.text;
    if (context.has_input(2)) {
        text = fmt::format("({}-{})", text, scales_of(context.input(2), *scales));
    }
    return context.output(context.input(1).type, x.shape,
                          fmt::format("({}*{})", text, scales_of(context.input(1), *scales)));
}

std::optional<DynamicallyQuantized> dynamically_quantized(NodeContext &context, const Value &x) {
    const std::string all = x.rank() == 0 ? "" : "," + dimension_list([&] {
                                                     Axes axes;
                                                     for (std::size_t axis = 0; axis < x.rank(); ++axis) {
                                                         axes.push_back(axis);
                                                     }
                                                     return axes;
                                                 }());
    const auto low = context.part(ElementType::f32, {}, fmt::format("min(0,reduce({},min{}))", x.text, all));
    const auto high = context.part(ElementType::f32, {}, fmt::format("max(0,reduce({},max{}))", x.text, all));
    if (!low || !high) {
        return std::nullopt;
    }
    const auto range = context.part(ElementType::f32, {}, fmt::format("{}-{}", high->text, low->text));
    const auto scale = range ? context.part(ElementType::f32, {}, fmt::format("{}/255", range->text)) : std::nullopt;
    const auto quotient =
        scale ? context.part(ElementType::f32, {}, fmt::format("(0-{})/{}", low->text, scale->text)) : std::nullopt;
    if (!quotient) {
        return std::nullopt;
    }
    const auto zero =
        context.part(ElementType::u8, {},
                     saturated(fmt::format("map({},f(x)({}))", quotient->text, to_nearest_even), ElementType::u8));
    if (!zero) {
        return std::nullopt;
    }
    const std::string whole =
        fmt::format("map({},f(x)({}))", in_double(fmt::format("({}/{})", x.text, scale->text), x), to_nearest_even);
    return DynamicallyQuantized{saturated(fmt::format("({}+{})", whole, zero->text), ElementType::u8), *scale, *zero};
}

bool import_dynamic_quantize_linear(NodeContext &context) {
    const Value &x = context.input(0);
    const auto quantized = dynamically_quantized(context, x);
    return quantized && context.output(ElementType::u8, x.shape, quantized->text) &&
           context.output_value(quantized->scale) && context.output_value(quantized->zero);
}

}  // namespace tenrex::onnx
