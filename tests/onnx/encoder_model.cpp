// An encoder as a model in a file.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tests/onnx/encoder.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {

class Encoder::Writer {
public:
    explicit Writer(Exporter exporter)
        : decomposed_(exporter == Exporter::decomposed || exporter == Exporter::pairs),
          pairs_(exporter == Exporter::pairs) {
        parts.opset = decomposed_ ? 14 : exporter == Exporter::attention ? 23 : 20;
        for (const std::int64_t number : {-1, 0, 1, 2, 4, 8}) {
            weights(integer_tensor(fmt::format("list {}", number), {number}));
            weights(shaped_integer_tensor(fmt::format("{}", number), {}, {number}));
        }
    }

    // The name of what a node makes.
    std::string add(std::string_view op, const std::vector<std::string> &inputs,
                    const std::vector<std::string> &attributes = {}, std::string_view domain = {}) {
        const std::string name = fmt::format("v{}", ++made_);
        parts.nodes.push_back(node(op, inputs, {name}, attributes, domain));
        return name;
    }
    void add_output(std::string_view name, const std::string &value) {
        parts.nodes.push_back(node("Identity", {value}, {std::string(name)}));
    }
    void weights(std::string tensor) { parts.initializers.push_back(std::move(tensor)); }
    std::string weights(const std::vector<std::int64_t> &shape, const std::vector<float> &cells) {
        std::string name = fmt::format("w{}", ++made_);
        weights(float_tensor(name, shape, cells));
        return name;
    }
    std::string number(float value) { return weights({}, std::vector<float>{value}); }

    std::string size_of(const std::string &value, const std::string &axis) {
        return add("Gather", {add("Shape", {value}), axis}, {integer_attribute("axis", 0)});
    }
    // [batch, t, first, second], or without the last.
    std::string reshaped(const std::string &value, std::int64_t first, std::int64_t second) {
        if (!decomposed_) {
            const std::string shape = fmt::format("shape{}", ++made_);
            weights(second == 0 ? integer_tensor(shape, {0, 0, first}) : integer_tensor(shape, {0, 0, -1, second}));
            return add("Reshape", {value, shape});
        }
        std::vector<std::string> sizes{add("Unsqueeze", {size_of(value, "0"), "list 0"}),
                                       add("Unsqueeze", {size_of(value, "1"), "list 0"}),
                                       fmt::format("list {}", first)};
        if (second != 0) {
            sizes.push_back(fmt::format("list {}", second));
        }
        return add("Reshape", {value, add("Concat", sizes, {integer_attribute("axis", 0)})});
    }
    std::string normalized(const std::string &value, const std::vector<float> &scale, const std::vector<float> &shift) {
        const auto size = static_cast<std::int64_t>(scale.size());
        const std::string factor = weights({size}, scale);
        const std::string addend = weights({size}, shift);
        if (!decomposed_) {
            return add("LayerNormalization", {value, factor, addend},
                       {integer_attribute("axis", -1), real_attribute("epsilon", 1e-5F)});
        }
        const std::string last = integers_attribute("axes", {-1});
        const std::string centered = add("Sub", {value, add("ReduceMean", {value}, {last})});
        const std::string squares = pairs_ ? add("Mul", {centered, centered}) : add("Pow", {centered, number(2)});
        const std::string variance = add("ReduceMean", {squares}, {last});
        const std::string deviation = add("Sqrt", {add("Add", {variance, number(1e-5F)})});
        return add("Add", {add("Mul", {add("Div", {centered, deviation}), factor}), addend});
    }
    std::string gelu(const std::string &value) {
        if (!decomposed_) {
            return add("Gelu", {value});
        }
        const std::string error = add("Erf", {add("Div", {value, number(std::sqrt(2.0F))})});
        if (pairs_) {
            return add("Mul", {add("Mul", {value, number(0.5F)}), add("Add", {number(1), error})});
        }
        return add("Mul", {add("Mul", {value, add("Add", {error, number(1)})}), number(0.5F)});
    }
    // What is added to scores [batch, heads, t, t], or tells which count.
    std::string mask() {
        const std::string row = add("Unsqueeze", {add("Unsqueeze", {"attention_mask", "list 1"}), "list 2"});
        if (decomposed_ && !pairs_) {
            return add("Mul",
                       {add("Sub", {number(1), add("Cast", {row}, {integer_attribute("to", 1)})}), number(-1e9F)});
        }
        const std::string length = add("Unsqueeze", {size_of("attention_mask", "1"), "list 0"});
        const std::string wanted = add("Concat", {"list -1", "list 1", length, length}, {integer_attribute("axis", 0)});
        // As exporters write it: what is -1 is one.
        const std::string ones =
            add("ConstantOfShape", {add("Shape", {wanted})},
                {bytes_field(1, "value") + number_field(20, 4) + bytes_field(5, integer_tensor("", {1}))});
        const std::string shape = add("Where", {add("Equal", {wanted, add("Mul", {ones, "-1"})}), ones, wanted});
        const std::string counts = add("Cast", {add("Expand", {row, shape})}, {integer_attribute("to", 9)});
        return pairs_ ? add("Where", {counts, number(0), number(-1e9F)}) : counts;
    }
    std::string masked(const std::string &scores, const std::string &mask) {
        return decomposed_ ? add("Add", {scores, mask}) : add("Where", {mask, scores, number(-INFINITY)});
    }
    // A row for each token's place.
    std::string positions(const std::string &table) {
        const std::string length = size_of("input_ids", "1");
        if (!decomposed_) {
            return add("Gather", {table, add("Range", {"0", length, "1"})});
        }
        std::vector<std::int64_t> numbers(Encoder::positions);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = static_cast<std::int64_t>(i);
        }
        weights(shaped_integer_tensor("position_ids", {1, Encoder::positions}, numbers));
        return add("Gather", {table, add("Slice", {"position_ids", "list 0", add("Unsqueeze", {length, "list 0"}),
                                                   "list 1", "list 1"})});
    }

    ModelParts parts;

private:
    bool decomposed_;
    bool pairs_;
    int made_ = 0;
};

std::string Encoder::mean_of(Writer &writer, const std::string &hidden) {
    const std::string counts =
        writer.add("Cast", {writer.add("Unsqueeze", {"attention_mask", "list -1"})}, {integer_attribute("to", 1)});
    const std::string weights = writer.add("Expand", {counts, writer.add("Shape", {hidden})});
    const std::string sums =
        writer.add("ReduceSum", {writer.add("Mul", {hidden, weights}), "list 1"}, {integer_attribute("keepdims", 0)});
    const std::string total = writer.add(
        "Clip",
        {writer.add("ReduceSum", {weights, "list 1"}, {integer_attribute("keepdims", 0)}), writer.number(1e-9F)});
    return writer.add("Div", {sums, total});
}

std::string Encoder::fused_layer(Writer &writer, const Layer &layer, const std::string &hidden) {
    const auto add = [&](std::string_view op, const std::vector<std::string> &inputs,
                         const std::vector<std::string> &attributes = {}) {
        return writer.add(op, inputs, attributes, "com.microsoft");
    };
    const auto row = [&](const std::vector<float> &cells) {
        return writer.weights({static_cast<std::int64_t>(cells.size())}, cells);
    };
    const auto matrix = [&](const Matrix &cells) {
        return writer.weights({static_cast<std::int64_t>(cells.rows), static_cast<std::int64_t>(cells.columns)},
                              cells.cells);
    };
    std::vector<float> together;
    for (std::size_t i = 0; i < width; ++i) {
        for (const Matrix *part : {&layer.query, &layer.key, &layer.value}) {
            const auto begin = part->cells.begin() + static_cast<std::ptrdiff_t>(i * width);
            together.insert(together.end(), begin, begin + width);
        }
    }
    std::vector<float> bias = layer.query_bias;
    bias.insert(bias.end(), layer.key_bias.begin(), layer.key_bias.end());
    bias.insert(bias.end(), layer.value_bias.begin(), layer.value_bias.end());
    const std::string mixed =
        add("Attention", {hidden, writer.weights({width, 3 * width}, together), row(bias), "attention_mask"},
            {integer_attribute("num_heads", heads)});
    const std::string epsilon = real_attribute("epsilon", 1e-5F);
    const std::string first = add("SkipLayerNormalization",
                                  {writer.add("MatMul", {mixed, matrix(layer.out)}), hidden, row(layer.scale[0]),
                                   row(layer.shift[0]), row(layer.out_bias)},
                                  {epsilon});
    const std::string up = add("BiasGelu", {add("FusedMatMul", {first, matrix(layer.up)}), row(layer.up_bias)});
    return add("SkipLayerNormalization",
               {writer.add("MatMul", {up, matrix(layer.down)}), first, row(layer.scale[1]), row(layer.shift[1]),
                row(layer.down_bias)},
               {epsilon});
}

std::string Encoder::model(Exporter exporter) const {
    const bool decomposed = exporter == Exporter::decomposed || exporter == Exporter::pairs;
    Writer writer(exporter);
    writer.parts.inputs = {port("input_ids", {"batch", "sequence"}, 7),
                           port("attention_mask", {"batch", "sequence"}, 7)};
    writer.parts.outputs = {port("hidden", {"batch", "sequence", "8"}), port("embedding", {"batch", "8"})};
    const auto shape_of = [](const Matrix &matrix) {
        return std::vector<std::int64_t>{static_cast<std::int64_t>(matrix.rows),
                                         static_cast<std::int64_t>(matrix.columns)};
    };
    const auto layer_of = [&](const std::string &value, const Matrix &matrix, const std::vector<float> &bias) {
        return writer.add("Add", {writer.add("MatMul", {value, writer.weights(shape_of(matrix), matrix.cells)}),
                                  writer.weights({static_cast<std::int64_t>(bias.size())}, bias)});
    };
    const auto after_attention = [&](const Layer &layer, const std::string &before, const std::string &attended) {
        const std::string row =
            writer.normalized(writer.add("Add", {before, attended}), layer.scale[0], layer.shift[0]);
        const std::string up = writer.gelu(layer_of(row, layer.up, layer.up_bias));
        return writer.normalized(writer.add("Add", {layer_of(up, layer.down, layer.down_bias), row}), layer.scale[1],
                                 layer.shift[1]);
    };
    const auto split = [&](const std::string &value) { return writer.reshaped(value, heads, width / heads); };
    const std::string order = integers_attribute("perm", {0, 2, 1, 3});
    const std::string mask = writer.mask();
    std::string hidden =
        writer.add("Add", {writer.add("Gather", {writer.weights(shape_of(word_rows_), word_rows_.cells), "input_ids"}),
                           writer.positions(writer.weights(shape_of(position_rows_), position_rows_.cells))});
    for (const Layer &layer : layers_) {
        if (exporter == Exporter::runtime) {
            hidden = fused_layer(writer, layer, hidden);
            continue;
        }
        if (exporter == Exporter::attention) {
            const std::string mixed = writer.add(
                "Attention",
                {layer_of(hidden, layer.query, layer.query_bias), layer_of(hidden, layer.key, layer.key_bias),
                 layer_of(hidden, layer.value, layer.value_bias), mask},
                {integer_attribute("q_num_heads", heads), integer_attribute("kv_num_heads", heads)});
            hidden = after_attention(layer, hidden, layer_of(mixed, layer.out, layer.out_bias));
            continue;
        }
        const std::string query =
            writer.add("Transpose", {split(layer_of(hidden, layer.query, layer.query_bias))}, {order});
        const std::string key = writer.add("Transpose", {split(layer_of(hidden, layer.key, layer.key_bias))},
                                           {integers_attribute("perm", {0, 2, 3, 1})});
        const std::string value =
            writer.add("Transpose", {split(layer_of(hidden, layer.value, layer.value_bias))}, {order});
        const std::string scores = writer.add("Div", {writer.add("MatMul", {query, key}), writer.number(2)});
        const std::string weights =
            writer.add("Softmax", {writer.masked(scores, mask)}, {integer_attribute("axis", -1)});
        const std::string mixed = writer.add("Transpose", {writer.add("MatMul", {weights, value})}, {order});
        const std::string joined = layer_of(writer.reshaped(mixed, width, 0), layer.out, layer.out_bias);
        hidden = after_attention(layer, hidden, joined);
    }
    writer.add_output("hidden", hidden);
    const std::string mean = mean_of(writer, hidden);
    const std::string length =
        decomposed ? writer.add("ReduceL2", {mean}, {integers_attribute("axes", {1})})
                   : writer.add("Sqrt", {writer.add("ReduceSum", {writer.add("Mul", {mean, mean}), "list 1"})});
    writer.add_output("embedding", writer.add("Div", {mean, length}));
    return onnx::model(writer.parts);
}

}  // namespace tenrex::onnx
