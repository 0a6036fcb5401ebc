#include "lib/onnx/precision.h"

#include <fmt/format.h>

namespace tenrex::onnx {

namespace {

// The sum of a number below 2^22 and this one is a whole number: float rounds it to the nearest one, the even one of
// two.
constexpr std::string_view whole_floats = "12582912";
// What all cells of a row or column are within is never 0.
constexpr std::string_view least_range = "1e-30";

bool is_float(const Value &value) {
    return info(value.type).cell_type == CellType::f32 && value.rank() > 0;
}

std::string whole_numbers(std::string_view text, std::string_view range) {
    return fmt::format("cell_cast(({0}*(127/{1})+{2})-{2},int8)", text, range, whole_floats);
}

// bfloat16 cells are cut off: what is cut off here has been rounded before, for 65537 is 2^16+1.
std::string halves(std::string_view text) {
    return fmt::format("cell_cast({0}*65537-({0}*65537-{0}),bfloat16)", text);
}

}  // namespace

std::string RoundedOperands::product(std::string_view sums, std::size_t column_axis) const {
    return is_scaled() ? fmt::format("({}*{}*{}+{}*{})", sums, row_scale, moved(column_scale, {column_axis}),
                                     row_middle, moved(column_totals, {column_axis}))
                       : std::string(sums);
}

std::optional<RoundedOperands> rounded_operands(NodeContext &context, const Value &rows, const Value &weights,
                                                std::size_t summed) {
    if (context.precision() == ModelPrecision::f32 || !weights.is_constant || rows.is_constant || weights.rank() != 2 ||
        !is_float(rows) || !is_float(weights)) {
        return RoundedOperands{rows.text, weights.text, {}, {}, {}, {}};
    }
    const Importer::RoundedWeights *const rounded = context.rounded_weights(weights, summed);
    if (context.precision() == ModelPrecision::bf16) {
        return RoundedOperands{
            halves(rows.text), rounded != nullptr ? rounded->cells : halves(weights.text), {}, {}, {}, {}};
    }
    // Rows are whole numbers around the middle between their least and their largest cell.
    const Shape shape(rows.shape.begin(), rows.shape.end() - 1);
    const std::string least = fmt::format("reduce({},min,d{})", rows.text, rows.rank() - 1);
    const std::string largest = fmt::format("reduce({},max,d{})", rows.text, rows.rank() - 1);
    const auto middle = context.part(rows.type, shape, fmt::format("({}+{})/2", largest, least));
    const auto range =
        middle ? context.part(rows.type, shape, fmt::format("max(({}-{})/2,{})", largest, least, least_range))
               : std::nullopt;
    if (!range) {
        return std::nullopt;
    }
    RoundedOperands operands;
    operands.left = whole_numbers(fmt::format("({}-{})", rows.text, middle->text), range->text);
    operands.row_scale = fmt::format("({}/127)", range->text);
    operands.row_middle = middle->text;
    if (rounded != nullptr) {
        operands.right = rounded->cells;
        operands.column_scale = rounded->scale;
        operands.column_totals = rounded->totals;
        return operands;
    }
    const std::string magnitude = fmt::format("max(reduce(fabs({}),max,d{}),{})", weights.text, summed, least_range);
    const auto by_column = [&](const std::string &text) { return summed == 1 ? text : renamed(text, {"d1"}, {"d0"}); };
    operands.right = whole_numbers(weights.text, magnitude);
    operands.column_scale = by_column(fmt::format("({}/127)", magnitude));
    operands.column_totals = fmt::format(
        "({}*{})", by_column(fmt::format("reduce({},sum,d{})", operands.right, summed)), operands.column_scale);
    return operands;
}

std::string rounded_factor(const NodeContext &context, const Value &factor) {
    return context.precision() == ModelPrecision::f32 || !is_float(factor) ? factor.text : halves(factor.text);
}

}  // namespace tenrex::onnx
