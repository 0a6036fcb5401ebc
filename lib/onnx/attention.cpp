// Attention as runtimes write it: the products with weights, scores, mask and softmax of several heads in one operator.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "lib/onnx/attended.h"
#include "lib/onnx/operators.h"
#include "lib/onnx/precision.h"
#include "lib/onnx/products.h"

namespace tenrex::onnx {

namespace {

// Which inputs are what; beyond the last one: there is none.
struct AttentionInputs {
    std::size_t bias;
    std::size_t mask;
    std::size_t past;
    std::size_t added;  // to scores
};

class Attention {
public:
    Attention(NodeContext &context, const AttentionInputs &inputs) : context_(context), inputs_(inputs) {}

    // The cells of the first two inputs, and what is behind their product.
    bool import(std::string_view x, std::string_view weights, std::string_view scale);
    // At the precision that was asked for.
    bool import();
    // Of whole numbers with their scales; that of the weights may be one for each column.
    bool import(const IntegerOperand &x, const IntegerOperand &weights, const Value &row_scale,
                const Value &column_scale);

private:
    bool fits();
    // Queries, keys or values: [batch, heads, length, size].
    std::optional<Value> projected(std::int64_t which, std::string_view x, std::string_view weights,
                                   std::string_view scale);
    // What is added to scores, each with a plus before it. Nothing: told.
    std::optional<std::string> masks(const Shape &scores);

    NodeContext &context_;
    AttentionInputs inputs_;
    RoundedOperands rounded_;
    std::optional<Value> whole_;           // the product with all weights, if it is one of bytes
    const Value *column_scale_ = nullptr;  // of whole weights, if each column has its own
    std::int64_t heads_ = 0;
    std::int64_t size_ = 0;  // of a head
};

bool Attention::fits() {
    const Shape &x = context_.input(0).shape;
    const Shape &weights = context_.input(1).shape;
    heads_ = context_.integer("num_heads", 0);
    constexpr std::int64_t most_heads = 1 << 20;
    if (x.size() != 3 || weights.size() != 2 || heads_ <= 0 || heads_ > most_heads || is_open(weights[1]) ||
        weights[1] % (3 * heads_) != 0 || x[2] != weights[0]) {
        return context_.fail(fmt::format("shapes {} and {} do not fit {} heads", context_.text_of(x),
                                         context_.text_of(weights), heads_));
    }
    if (context_.integers("qkv_hidden_sizes") || context_.has_input(inputs_.past) ||
        context_.integer("do_rotary", 0) != 0) {
        return context_.fail("sizes of its own for values, past keys and rotations are not supported");
    }
    if (context_.has_input(inputs_.bias) && context_.input(inputs_.bias).shape != Shape{weights[1]}) {
        return context_.fail("its bias does not fit its weights");
    }
    if (context_.wants_output(1)) {
        return context_.fail("its output of keys and values is not supported");
    }
    size_ = weights[1] / (3 * heads_);
    return true;
}

std::optional<Value> Attention::projected(std::int64_t which, std::string_view x, std::string_view weights,
                                          std::string_view scale) {
    const std::string columns =
        fmt::format("tensor(d1[{}],d3[{}])({}+d1*{}+d3)", heads_, size_, which * heads_ * size_, size_);
    std::string text = whole_ ? fmt::format("rename({},(d1,d2),(d2,k)){{k:({})}}{}", whole_->text, columns, scale)
                              : fmt::format("reduce(rename({},(d1,d2),(d2,k))*rename({},d0,k){{d1:({})}},sum,k){}", x,
                                            weights, columns, scale);
    if (column_scale_ != nullptr) {
        text += fmt::format("*{}{{d0:({})}}", column_scale_->text, columns);
    }
    if (rounded_.is_scaled()) {  // rows are axis 2, behind the heads
        text += fmt::format("*{0}*{1}{{d0:({4})}}+{2}*{3}{{d0:({4})}}", moved(rounded_.row_scale, {0, 2}),
                            rounded_.column_scale, moved(rounded_.row_middle, {0, 2}), rounded_.column_totals, columns);
    }
    const bool has_bias = context_.has_input(inputs_.bias);
    if (has_bias) {
        text += fmt::format("+{}{{d0:({})}}", context_.input(inputs_.bias).text, columns);
    }
    const Shape &shape = context_.input(0).shape;
    context_.count_product({shape[0], shape[1], shape[2], heads_ * size_});
    return context_.part(has_bias ? context_.input(inputs_.bias).type : ElementType::f32,
                         {shape[0], heads_, shape[1], size_}, text);
}

std::optional<std::string> Attention::masks(const Shape &scores) {
    std::string text;
    constexpr double usual = -10000;
    const std::string low = number_text(context_.real("mask_filter_value", usual));
    const auto indexes = [&](std::size_t axis) { return indexes_along(scores, axis, context_.open_sizes()); };
    if (context_.has_input(inputs_.mask)) {
        const Value &mask = context_.input(inputs_.mask);
        const bool is_full = mask.rank() == 3;
        if (mask.rank() == 1 && mask.shape[0] == scores[0]) {  // the number of tokens that count
            text += fmt::format("+cell_cast(join({},{},f(place,end)(if(place<end,0,{}))),float)", indexes(3), mask.text,
                                low);
        } else if (mask.rank() == 2 || is_full) {
            const std::string by_token = moved(mask.text, is_full ? Axes{0, 2, 3} : Axes{0, 3});
            text += fmt::format("+cell_cast(map({},f(x)(if(x>0,0,{}))),float)", by_token, low);
        } else {
            context_.fail(fmt::format("a mask of shape {} is not supported", context_.text_of(mask.shape)));
            return std::nullopt;
        }
    }
    if (context_.integer("unidirectional", 0) != 0) {
        // So low that a token masked by the input counts more than one that is yet to come.
        text += fmt::format("+cell_cast(join({},{},f(to,from)(if(from<=to,0,{}))),float)", indexes(2), indexes(3),
                            number_text(static_cast<double>(std::numeric_limits<float>::lowest())));
    }
    if (context_.has_input(inputs_.added)) {
        const auto shape = broadcast(scores, context_.input(inputs_.added).shape);
        if (!shape || *shape != scores) {
            context_.fail("what is added to its scores does not fit them");
            return std::nullopt;
        }
        text += "+" + aligned(context_.input(inputs_.added), scores);
    }
    return text;
}

bool Attention::import(std::string_view x, std::string_view weights, std::string_view scale) {
    if (!fits()) {
        return false;
    }
    const auto query = projected(0, x, weights, scale);
    const auto key = query ? projected(1, x, weights, scale) : std::nullopt;
    const auto value = key ? projected(2, x, weights, scale) : std::nullopt;
    if (!value) {
        return false;
    }
    const Shape &shape = query->shape;
    const Shape square{shape[0], heads_, shape[2], shape[2]};
    const auto added = masks(square);
    if (!added) {
        return false;
    }
    count_attention(context_, square, size_, size_);
    const double given = context_.real("scale", 0);
    const double factor = given != 0 ? given : 1 / std::sqrt(static_cast<double>(size_));
    const auto scores =
        context_.part(query->type, square,
                      fmt::format("{}*{}{}", products_of_heads(context_, *query, *key), number_text(factor), *added));
    const auto shares = scores ? shares_of(context_, *scores) : std::nullopt;
    const auto mixed = shares ? mixed_by(context_, *shares, *value) : std::nullopt;
    return mixed && context_.output(mixed->type, {shape[0], shape[2], heads_ * size_}, joined_heads(*mixed));
}

bool Attention::import() {
    auto rounded = rounded_operands(context_, context_.input(0), context_.input(1), 0);
    if (!rounded) {
        return false;
    }
    rounded_ = *std::move(rounded);
    return import(rounded_.left, rounded_.right, "");
}

bool Attention::import(const IntegerOperand &x, const IntegerOperand &weights, const Value &row_scale,
                       const Value &column_scale) {
    if (!fits()) {
        return false;
    }
    const auto is_by_column = [&](const Value &value) { return value.shape == Shape{weights.cells.shape[1]}; };
    if ((column_scale.elements() != 1 && !is_by_column(column_scale)) ||
        (weights.zero != nullptr && weights.zero->elements() != 1 && !is_by_column(*weights.zero))) {
        return context_.fail("the scales and zero points of its weights are not one for each column");
    }
    column_scale_ = column_scale.elements() == 1 ? nullptr : &column_scale;
    const std::string scale = column_scale_ == nullptr
                                  ? fmt::format("*({}*{})", single(row_scale), single(column_scale))
                                  : "*" + single(row_scale);
    if (const auto sums = sums_of_bytes(context_, x, weights)) {
        const Shape &shape = x.cells.shape;
        whole_ = context_.part(ElementType::i32, {shape[0], shape[1], weights.cells.shape[1]}, *sums);
        if (!whole_) {
            return false;
        }
    }
    return import(without_zero_point(x, false), without_zero_point(weights, false), scale);
}

}  // namespace

bool import_runtime_attention(NodeContext &context) {
    return Attention(context, {2, 3, 4, 5}).import();
}

bool import_q_attention(NodeContext &context) {
    constexpr std::size_t none = 100;
    return Attention(context, {2, 5, 8, none})
        .import(IntegerOperand{context.input(0), context.find_input(6)},
                IntegerOperand{context.input(1), context.find_input(7)}, context.input(3), context.input(4));
}

}  // namespace tenrex::onnx
