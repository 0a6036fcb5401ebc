// Sums, normalizations and activations that runtimes make of several operators.
#include <numbers>

#include <fmt/format.h>

#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

// As exporters write it that take it apart, in the type of its elements: the same steps come of both.
bool output_gelu(NodeContext &context, const Value &x, bool by_tanh = false) {
    const std::string function = by_tanh ? fmt::format("tanh(({0}*{0}*{0}*0.044715+{0})*0.7978845608028654)", x.text)
                                         : fmt::format("erf({}/{})", x.text, number_text(std::numbers::sqrt2));
    return context.output(x.type, x.shape, fmt::format("(({}*({}+1))*0.5)", x.text, function));
}

// The sum with a bias, if there is one. Nothing: told.
std::optional<Value> sum_with_bias(NodeContext &context) {
    const Value &x = context.input(0);
    if (!context.has_input(1)) {
        return x;
    }
    const auto shape = broadcast(x.shape, context.input(1).shape);
    if (!shape || *shape != x.shape) {
        context.fail(fmt::format("a bias of shape {} does not fit {}", context.text_of(context.input(1).shape),
                                 context.text_of(x.shape)));
        return std::nullopt;
    }
    return context.part(x.type, x.shape, fmt::format("{}+{}", x.text, aligned(context.input(1), x.shape)));
}

// Normalized over the last axis, times gamma plus beta, which are inputs; beta may be left out.
bool output_normalized(NodeContext &context, const Value &x, std::size_t gamma, std::size_t beta) {
    constexpr double usual = 1e-12;
    for (const std::size_t i : {gamma, beta}) {
        if (context.has_input(i) && context.input(i).shape != Shape{x.shape.back()}) {
            return context.fail(fmt::format("input {} of shape {} does not fit {}", i,
                                            context.text_of(context.input(i).shape), context.text_of(x.shape)));
        }
    }
    const std::string last = dimension_name(x.rank() - 1);
    std::string text = fmt::format("({}*{})", standardized(x.text, last, context.real("epsilon", usual)),
                                   aligned(context.input(gamma), x.shape));
    if (context.has_input(beta)) {
        text = fmt::format("({}+{})", text, aligned(context.input(beta), x.shape));
    }
    return context.output(x.type, x.shape, text);
}

}  // namespace

bool import_bias_gelu(NodeContext &context) {
    const auto sum = sum_with_bias(context);
    return sum && output_gelu(context, *sum);
}

bool import_fast_gelu(NodeContext &context) {
    const auto sum = sum_with_bias(context);
    return sum && output_gelu(context, *sum, true);
}

bool import_gelu(NodeContext &context) {
    return output_gelu(context, context.input(0), context.text("approximate", "none") == "tanh");
}

bool import_exact_gelu(NodeContext &context) {
    return output_gelu(context, context.input(0));
}

bool import_quick_gelu(NodeContext &context) {
    constexpr double usual = 1.702;
    return import_map(context, fmt::format("x*sigmoid({}*x)", number_text(context.real("alpha", usual))));
}

bool import_swish(NodeContext &context) {
    return import_map(context, fmt::format("x*sigmoid({}*x)", number_text(context.real("alpha", 1))));
}

bool import_swi_glu(NodeContext &context) {
    const Value &gate = context.input(0);
    const auto shape = broadcast(gate.shape, context.input(1).shape);
    if (!shape) {
        return context.fail(fmt::format("the shapes of its inputs, {} and {}, do not fit", context.text_of(gate.shape),
                                        context.text_of(context.input(1).shape)));
    }
    return context.output(gate.type, *shape,
                          fmt::format("(map({},f(x)(x*sigmoid({}*x)))*{})", aligned(gate, *shape),
                                      number_text(context.real("alpha", 1)), aligned(context.input(1), *shape)));
}

bool import_skip_layer_normalization(NodeContext &context) {
    const Value &x = context.input(0);
    const auto shape = broadcast(x.shape, context.input(1).shape);
    if (!shape || *shape != x.shape || x.rank() == 0) {
        return context.fail(fmt::format("the shapes of its inputs, {} and {}, do not fit", context.text_of(x.shape),
                                        context.text_of(context.input(1).shape)));
    }
    if (context.wants_output(1) || context.wants_output(2)) {
        return context.fail("its outputs mean and inv_std_var are not supported");
    }
    // The bias belongs to the product before it, so it comes first.
    constexpr std::size_t bias = 4;
    const std::string biased = context.has_input(bias) ? "+" + aligned(context.input(bias), x.shape) : "";
    const auto sum =
        context.part(x.type, x.shape, fmt::format("{}{}+{}", x.text, biased, aligned(context.input(1), x.shape)));
    if (!sum || !output_normalized(context, *sum, 2, 3)) {
        return false;
    }
    context.results().resize(3);  // the two that nobody wants
    return context.output_value(*sum);
}

// Inputs: token numbers, segment numbers, three tables, gamma, beta, mask, position numbers.
bool import_embed_layer_normalization(NodeContext &context) {
    constexpr std::size_t segments = 1, words = 2, positions = 3, segment_table = 4, gamma = 5, beta = 6, mask = 7;
    constexpr std::size_t position_numbers = 8;
    const Value &tokens = context.input(0);
    for (const std::size_t needed : {words, positions, gamma}) {
        if (!context.has_input(needed)) {
            return context.fail(fmt::format("it lacks input {}", needed));
        }
    }
    const bool has_segments = context.has_input(segments) && context.has_input(segment_table);
    for (const std::size_t matrix :
         {std::size_t{0}, segments, words, positions, segment_table, mask, position_numbers}) {
        if (context.has_input(matrix) && context.input(matrix).rank() != 2) {
            return context.fail(fmt::format("input {} needs two axes", matrix));
        }
    }
    const auto rows = [](const Value &table, const std::string &numbers) {
        return taken(table, {{0, numbers}}, {0, 2});
    };
    std::string text = rows(context.input(words), tokens.text) + "+" +
                       rows(context.input(positions), context.has_input(position_numbers)
                                                          ? aligned(context.input(position_numbers), tokens.shape)
                                                          : indexes_along(tokens.shape, 1, context.open_sizes()));
    if (has_segments) {
        text += "+" + rows(context.input(segment_table), context.input(segments).text);
    }
    Shape shape = tokens.shape;
    shape.push_back(context.input(words).shape[1]);
    const auto sum = context.part(context.input(words).type, shape, text);
    if (!sum || !output_normalized(context, *sum, gamma, beta)) {
        return false;
    }
    const std::string count = context.has_input(mask) ? fmt::format("reduce({},sum,d1)", context.input(mask).text)
                                                      : filled(0, {tokens.shape[0]}, context.open_sizes());
    return !(context.wants_output(1) || context.wants_output(2)) ||
           (context.output(ElementType::i32, {tokens.shape[0]}, count) && context.output_value(*sum));
}

}  // namespace tenrex::onnx
