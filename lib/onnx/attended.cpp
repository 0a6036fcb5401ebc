#include "lib/onnx/attended.h"

#include <fmt/format.h>

#include "lib/onnx/expression_text.h"
#include "lib/onnx/precision.h"

namespace tenrex::onnx {

std::optional<Value> with_heads(NodeContext &context, std::size_t input, std::string_view attribute) {
    const Value &x = context.input(input);
    if (x.rank() == 4 && !is_open(x.shape[1]) && !is_open(x.shape[3])) {
        return x;
    }
    const std::int64_t heads = context.integer(attribute, 0);
    if (x.rank() != 3 || heads <= 0 || is_open(x.shape[2]) || x.shape[2] % heads != 0) {
        context.fail(
            fmt::format("input {} of shape {} does not fit {} heads", input, context.text_of(x.shape), heads),
            x.rank() == 3
                ? fmt::format("the attribute {} says how many heads a row has", attribute)
                : "it needs axes of the batch, of rows and of cells, and may have one of heads behind the batch");
        return std::nullopt;
    }
    const Shape split{x.shape[0], x.shape[1], heads, x.shape[2] / heads};
    const auto text = reshaped(x, split, context.open_sizes());
    if (!text) {
        context.fail_open(fmt::format("the shape of input {}", input), x.shape);
        return std::nullopt;
    }
    return context.part(x.type, {split[0], split[2], split[1], split[3]}, moved(*text, {0, 2, 1, 3}));
}

std::string products_of_heads(const NodeContext &context, const Value &query, const Value &key) {
    return fmt::format("reduce(rename({},d3,k)*rename({},(d2,d3),(d3,k)),sum,k)", rounded_factor(context, query),
                       rounded_factor(context, key));
}

std::optional<Value> shares_of(NodeContext &context, const Value &scores) {
    const auto powers =
        context.part(scores.type, scores.shape, fmt::format("exp({0}-reduce({0},max,d3))", scores.text));
    return powers ? context.part(scores.type, scores.shape, fmt::format("{0}/reduce({0},sum,d3)", powers->text))
                  : std::nullopt;
}

std::optional<Value> mixed_by(NodeContext &context, const Value &shares, const Value &values) {
    Shape shape = shares.shape;
    shape[3] = values.shape[3];
    return context.part(shares.type, shape,
                        fmt::format("reduce(rename({},d3,k)*rename({},d2,k),sum,k)", rounded_factor(context, shares),
                                    rounded_factor(context, values)));
}

std::string joined_heads(const Value &mixed) {
    const std::int64_t cells = mixed.shape[3];
    const std::int64_t width = mixed.shape[1] * cells;
    const std::string heads = fmt::format("tensor(d2[{}])(floor(d2/{}))", width, cells);
    const std::string places = fmt::format("tensor(d2[{}])(fmod(d2,{}))", width, cells);
    return taken(mixed, {{1, heads}, {3, places}}, {0, 0, 1, 0});
}

void count_attention(NodeContext &context, const Shape &scores, std::int64_t key_cells, std::int64_t value_cells) {
    for (const std::int64_t cells : {key_cells, value_cells}) {
        context.count_product({scores[0], scores[1], scores[2], scores[3], cells});
    }
}

}  // namespace tenrex::onnx
