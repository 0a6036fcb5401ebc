// Products of matrices.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "lib/onnx/operators.h"
#include "lib/onnx/precision.h"
#include "lib/onnx/products.h"

namespace tenrex::onnx {

namespace {

// A matrix, or a batch of them; a tensor with one axis is a row as the first and a column as the second operand.
struct MatrixOperand {
    Shape batch;
    bool is_vector = false;
};

std::optional<MatrixOperand> matrix_operand(NodeContext &context, const Value &value) {
    if (value.rank() == 0) {
        context.fail("a number is no matrix");
        return std::nullopt;
    }
    const bool is_vector = value.rank() == 1;
    return MatrixOperand{{value.shape.begin(), value.shape.end() - (is_vector ? 1 : 2)}, is_vector};
}

}  // namespace

bool import_product(NodeContext &context, ElementType type, const Value &a, const Value &b, std::string_view left,
                    std::string_view right, const std::function<std::string(std::string_view)> &of_sums) {
    const auto first = matrix_operand(context, a);
    const auto second = matrix_operand(context, b);
    if (!first || !second) {
        return false;
    }
    const std::int64_t rows = first->is_vector ? 1 : a.shape[a.rank() - 2];
    const std::int64_t columns = second->is_vector ? 1 : b.shape[b.rank() - 1];
    const std::int64_t k = a.shape.back();
    const auto batch = broadcast(first->batch, second->batch);
    if (!batch || k != (second->is_vector ? b.shape.back() : b.shape[b.rank() - 2])) {
        return context.fail(fmt::format("a tensor of shape {} cannot be multiplied with one of shape {}",
                                        context.text_of(a.shape), context.text_of(b.shape)));
    }
    // Names of the axes in the product: the batch, then rows and columns.
    const std::size_t row_axis = batch->size();
    const std::size_t column_axis = batch->size() + (first->is_vector ? 0 : 1);
    const auto operand = [&](std::string_view text, const Value &value, const MatrixOperand &matrix, bool is_first) {
        std::vector<std::string> from;
        std::vector<std::string> to;
        std::string peeked;
        const std::size_t missing = batch->size() - matrix.batch.size();
        for (std::size_t axis = 0; axis < value.rank(); ++axis) {
            if (axis < matrix.batch.size()) {
                if (matrix.batch[axis] == 1 && (*batch)[missing + axis] != 1) {
                    peeked += fmt::format("{}d{}:0", peeked.empty() ? "" : ",", axis);
                    continue;
                }
                from.push_back(dimension_name(axis));
                to.push_back(dimension_name(missing + axis));
                continue;
            }
            const bool is_summed = matrix.is_vector || (axis + 1 == value.rank()) == is_first;
            from.push_back(dimension_name(axis));
            to.push_back(is_summed ? std::string(summed_axis) : dimension_name(is_first ? row_axis : column_axis));
        }
        const std::string rest = peeked.empty() ? std::string(text) : fmt::format("{}{{{}}}", text, peeked);
        return renamed(rest, from, to);
    };
    Shape shape = *batch;
    if (!first->is_vector) {
        shape.push_back(rows);
    }
    if (!second->is_vector) {
        shape.push_back(columns);
    }
    Shape loops = shape;
    loops.push_back(k);
    context.count_product(loops);
    const std::string text = fmt::format("reduce({}*{},sum,{})", operand(left, a, *first, true),
                                         operand(right, b, *second, false), summed_axis);
    return context.output(type, shape, of_sums ? of_sums(text) : text);
}

bool import_float_product(NodeContext &context, const Value &a, const Value &b, std::string_view after) {
    if (!a.is_constant && !b.is_constant) {
        return import_product(context, a.type, a, b, rounded_factor(context, a), rounded_factor(context, b),
                              [&](std::string_view sums) { return fmt::format("{}{}", sums, after); });
    }
    const auto rounded = rounded_operands(context, a, b, 0);
    return rounded && import_product(context, a.type, a, b, rounded->left, rounded->right, [&](std::string_view sums) {
               return fmt::format("{}{}", rounded->product(sums, a.rank() - 1), after);
           });
}

std::string single(const Value &value) {
    return cell_at(value.text, std::vector<std::string>(value.rank(), "0"));
}

bool import_mat_mul(NodeContext &context) {
    const Value &a = context.input(0);
    const Value &b = context.input(1);
    return import_float_product(context, a, b);
}

bool import_gemm(NodeContext &context) {
    const Value &a = context.input(0);
    const Value &b = context.input(1);
    if (a.rank() != 2 || b.rank() != 2) {
        return context.fail("its operands need two axes");
    }
    const bool a_turned = context.integer("transA", 0) != 0;
    const bool b_turned = context.integer("transB", 0) != 0;
    const std::int64_t k = a.shape[a_turned ? 0 : 1];
    const Shape shape{a.shape[a_turned ? 1 : 0], b.shape[b_turned ? 0 : 1]};
    if (k != b.shape[b_turned ? 1 : 0]) {
        return context.fail(fmt::format("a tensor of shape {} cannot be multiplied with one of shape {}",
                                        context.text_of(a.shape), context.text_of(b.shape)));
    }
    const auto factor = [](std::string_view text, double number) {
        return number == 1 ? std::string(text) : fmt::format("{}*{}", text, number_text(number));
    };
    context.count_product({shape[0], shape[1], k});
    const auto rounded =
        a_turned ? RoundedOperands{a.text, b.text, {}, {}, {}, {}} : rounded_operands(context, a, b, b_turned ? 1 : 0);
    if (!rounded) {
        return false;
    }
    const std::string left =
        renamed(rounded->left, {"d0", "d1"},
                a_turned ? std::vector<std::string>{"k", "d0"} : std::vector<std::string>{"d0", "k"});
    const std::string right =
        renamed(rounded->right, {"d0", "d1"},
                b_turned ? std::vector<std::string>{"d1", "k"} : std::vector<std::string>{"k", "d1"});
    std::string text =
        factor(rounded->product(fmt::format("reduce({}*{},sum,k)", left, right), 1), context.real("alpha", 1));
    const double beta = context.real("beta", 1);
    if (context.has_input(2) && beta != 0) {
        const auto fits = broadcast(context.input(2).shape, shape);
        if (!fits || *fits != shape) {
            return context.fail("the shape of its third input cannot be broadcast to the product");
        }
        text += "+" + factor(aligned(context.input(2), shape), beta);
    }
    return context.output(a.type, shape, text);
}

// Letters are axes: a product of all operands, summed over the letters that the result lacks.
bool import_einsum(NodeContext &context) {
    std::string equation(context.text("equation", ""));
    equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
    if (equation.find('.') != std::string::npos) {
        return context.fail(fmt::format("the equation '{}' has an ellipsis, which is not supported", equation));
    }
    const std::size_t arrow = equation.find("->");
    std::string wanted = arrow == std::string::npos ? std::string() : equation.substr(arrow + 2);
    std::vector<std::string> terms{""};
    for (const char c : equation.substr(0, arrow)) {
        if (c == ',') {
            terms.emplace_back();
        } else {
            terms.back() += c;
        }
    }
    if (terms.size() != context.inputs()) {
        return context.fail(fmt::format("the equation '{}' is for another number of inputs", equation));
    }
    std::string all;
    std::vector<std::int64_t> sizes(256, 0);
    std::string text;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const Value &value = context.input(i);
        if (terms[i].size() != value.rank()) {
            return context.fail(fmt::format("the equation '{}' is for inputs with other numbers of axes", equation));
        }
        std::vector<std::string> to;
        std::string operand = value.text;
        for (std::size_t axis = 0; axis < value.rank(); ++axis) {
            const char letter = terms[i][axis];
            std::int64_t &size = sizes[static_cast<unsigned char>(letter)];
            if (size != 0 && size != value.shape[axis]) {
                return context.fail(fmt::format("axis '{}' of the equation has sizes {} and {}", letter,
                                                context.open_sizes().text(size),
                                                context.open_sizes().text(value.shape[axis])));
            }
            size = value.shape[axis];
            to.push_back(fmt::format("e{}", static_cast<int>(letter)));
            all += letter;
        }
        for (std::size_t axis = 0; axis < to.size(); ++axis) {
            if (std::find(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(axis), to[axis]) !=
                to.begin() + static_cast<std::ptrdiff_t>(axis)) {
                return context.fail(
                    fmt::format("the equation '{}' takes a diagonal, which is not supported", equation));
            }
        }
        operand = renamed(operand, own_indexes(value.rank()), to);
        text = i == 0 ? operand : fmt::format("{}*{}", text, operand);
    }
    if (arrow == std::string::npos) {  // the letters that stand once, in the order of the alphabet
        std::string sorted = all;
        std::sort(sorted.begin(), sorted.end());
        for (const char letter : sorted) {
            if (std::count(all.begin(), all.end(), letter) == 1) {
                wanted += letter;
            }
        }
    }
    std::string gone;
    std::string seen;
    for (const char letter : all) {
        if (wanted.find(letter) == std::string::npos && seen.find(letter) == std::string::npos) {
            gone += fmt::format(",e{}", static_cast<int>(letter));
        }
        seen += letter;
    }
    Shape shape;
    std::vector<std::string> from;
    for (const char letter : wanted) {
        shape.push_back(sizes[static_cast<unsigned char>(letter)]);
        from.push_back(fmt::format("e{}", static_cast<int>(letter)));
    }
    Shape loops;
    for (const std::int64_t size : sizes) {
        loops.push_back(size == 0 ? 1 : size);
    }
    context.count_product(loops);
    if (!gone.empty()) {
        text = fmt::format("reduce({},sum{})", text, gone);
    }
    return context.output(context.input(0).type, shape, renamed(text, from, own_indexes(shape.size())));
}

}  // namespace tenrex::onnx
