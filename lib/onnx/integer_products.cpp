// Products of whole numbers, less their zero points.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "lib/onnx/operators.h"
#include "lib/onnx/products.h"

namespace tenrex::onnx {

namespace {

// Rows of whole numbers of 8 bits by weights of such, as products of int8 cells: unsigned ones are 128 less, and what a
// zero of the rows is less than that is made good by the totals of the columns.
std::string product_of_bytes(const Value &rows, const Importer::ByteWeights &weights, std::string_view zero) {
    const std::size_t last = rows.rank() - 1;
    const int middle = is_unsigned(rows.type) ? 128 : 0;
    std::string sums;
    for (std::size_t part = 0; part < weights.parts.size(); ++part) {
        const std::int64_t begin = static_cast<std::int64_t>(part) * weights.rows_of_part;
        const std::int64_t count = std::min(weights.rows_of_part, rows.shape[last] - begin);
        std::string cells = rows.text;
        if (weights.parts.size() > 1) {
            Axes axes(rows.rank());
            std::iota(axes.begin(), axes.end(), 0);
            cells = taken(rows, {{last, fmt::format("tensor(d{0}[{1}])(d{0}+{2})", last, count, begin)}}, axes);
        }
        sums += fmt::format(
            "{}cell_cast(reduce({}*{},sum,{}),double)", part == 0 ? "" : "+",
            renamed(fmt::format("cell_cast({}-{},int8)", cells, middle), {dimension_name(last)},
                    {std::string(summed_axis)}),
            renamed(weights.parts[part], {"d0", "d1"}, {std::string(summed_axis), dimension_name(last)}), summed_axis);
    }
    return fmt::format("{}+({}-{})*{}", sums, middle, zero, moved(weights.totals, {last}));
}

}  // namespace

std::string by_column(const Value &value, std::size_t rank) {
    return value.elements() == 1 || value.rank() != 1 ? single(value) : moved(value.text, {rank - 1});
}

std::string without_zero_point(const IntegerOperand &operand, bool by_row) {
    const auto &[cells, zero] = operand;
    if (zero == nullptr) {
        return cells.text;
    }
    if (zero->elements() == 1) {
        return fmt::format("({}-{})", cells.text, single(*zero));
    }
    const std::size_t axis = by_row && cells.rank() > 1 ? cells.rank() - 2 : cells.rank() - 1;
    return fmt::format("({}-{})", cells.text,
                       zero->rank() == 1 ? moved(zero->text, {axis}) : aligned(*zero, cells.shape));
}

std::optional<std::string> sums_of_bytes(NodeContext &context, const IntegerOperand &a, const IntegerOperand &b) {
    const Value &rows = a.cells;
    const Value &columns = b.cells;
    const bool has_number = a.zero == nullptr || a.zero->elements() == 1;
    if (rows.rank() < 2 || columns.rank() != 2 || !has_number || rows.is_constant ||
        rows.shape.back() != columns.shape[0] || info(rows.type).bytes != 1) {
        return std::nullopt;
    }
    const auto *weights = context.byte_weights(columns, b.zero);
    return weights == nullptr
               ? std::nullopt
               : std::optional(product_of_bytes(rows, *weights, a.zero == nullptr ? "0" : single(*a.zero)));
}

bool import_integer_product(NodeContext &context, ElementType type, const IntegerOperand &a, const IntegerOperand &b,
                            const std::function<std::string(std::string_view)> &of_sums) {
    const auto sums = sums_of_bytes(context, a, b);
    if (!sums) {
        return import_product(context, type, a.cells, b.cells, without_zero_point(a, true),
                              without_zero_point(b, false), of_sums);
    }
    Shape shape = a.cells.shape;
    shape.back() = b.cells.shape[1];
    Shape loops = shape;
    loops.push_back(a.cells.shape.back());
    context.count_product(loops);
    return context.output(type, shape, of_sums ? of_sums(fmt::format("({})", *sums)) : *sums);
}

bool import_mat_mul_integer(NodeContext &context) {
    return import_integer_product(context, ElementType::i32, {context.input(0), context.find_input(2)},
                                  {context.input(1), context.find_input(3)});
}

bool import_q_linear_mat_mul(NodeContext &context) {
    const Shape &weights = context.input(3).shape;
    for (const std::size_t i : {1U, 2U, 4U, 5U, 6U, 7U}) {
        const bool is_by_column =
            (i == 4 || i == 5) && !weights.empty() && context.input(i).shape == Shape{weights.back()};
        if (context.input(i).elements() != 1 && !is_by_column) {
            return context.fail("a scale and zero point are for a whole tensor, or for each column of the second one");
        }
    }
    const Value &zero = context.input(7);
    const double low = is_unsigned(zero.type) ? 0 : -128;
    const std::size_t rank = std::max(context.input(0).rank(), context.input(3).rank());
    const std::string scale = fmt::format("*({}*{}/{})", single(context.input(1)), by_column(context.input(4), rank),
                                          single(context.input(6)));
    return import_integer_product(context, zero.type, {context.input(0), &context.input(2)},
                                  {context.input(3), &context.input(5)}, [&](std::string_view sums) {
                                      return fmt::format("max({},min({},map({}{},f(x)({}))+{}))", number_text(low),
                                                         low + 255, sums, scale, to_nearest_even, single(zero));
                                  });
}

}  // namespace tenrex::onnx
