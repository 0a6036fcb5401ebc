// A layer is found from its end: a product with weights, behind it what puts heads side by side, behind it the values
// that are mixed by a softmax. From there everything is followed back to the products with weights that queries, keys
// and values come from.
#include "lib/onnx/attention_layers.h"

#include <algorithm>
#include <initializer_list>
#include <variant>

#include <fmt/format.h>

#include "lib/onnx/tensor_data.h"

namespace tenrex::onnx {

namespace {

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> ops) {
    return std::find(ops.begin(), ops.end(), op) != ops.end();
}

std::int64_t integer(const Node &node, std::string_view attribute) {
    const Attribute *const found = node.find(attribute);
    const auto *const value = found == nullptr ? nullptr : std::get_if<std::int64_t>(&found->value);
    return value == nullptr ? 0 : *value;
}

// A product of rows, its first input, with constant weights.
struct Product {
    ConstantUse weights;
    std::size_t rows_axis = 0;  // of the weights as they are stored
};

class LayerFinder {
public:
    LayerFinder(const Model &model, const GraphValues &values) : model_(model), values_(values) {}

    // Nothing: the node is no product behind attention.
    Result<std::optional<AttentionLayer>> layer_before(std::size_t node);

private:
    // What values are like where the search is: heads stand side by side in a row, or have an axis of their own.
    enum class Form : std::uint8_t { rows, heads };

    std::optional<Product> product(std::size_t node) const;
    // The element so many places before the last one, of a constant or of several that are joined; nothing: it is
    // computed.
    std::optional<HeadCount> from_end(NodeInput shape, std::size_t before) const;
    std::int64_t number_at(const HeadCount &count) const;
    std::size_t least_elements(std::string_view shape) const;

    std::size_t width() const { return static_cast<std::size_t>(width_); }
    bool is_multiple_of_width(std::int64_t size) const { return size > 0 && size % width_ == 0; }
    bool has_heads(std::size_t heads);
    bool follow(std::string_view value, Form form);
    bool follow_rows(std::size_t node);
    bool follow_heads(std::size_t node);
    // Whether a reshape splits rows into heads.
    bool splits(std::size_t node);
    void note_width(std::size_t reshape);
    bool mixes(std::size_t node);

    const Model &model_;
    const GraphValues &values_;
    AttentionLayer layer_;
    std::set<std::string_view> followed_;
    std::int64_t width_ = 0;  // the cells of all heads
    bool has_softmax_ = false;
    std::optional<Error> error_;
};

std::optional<Product> LayerFinder::product(std::size_t node) const {
    const Node &one = model_.nodes[node];
    if (!is_one_of(one.op, {"MatMul", "Gemm", "FusedMatMul"}) || one.inputs.size() < 2 || integer(one, "transA") != 0) {
        return std::nullopt;
    }
    Product product;
    product.weights.reader = {node, 1};
    product.weights.data = values_.constant(one.inputs[1]);
    bool is_turned = integer(one, "transB") != 0;
    if (product.weights.data == nullptr) {
        const auto maker = values_.maker(one.inputs[1]);
        if (!maker || model_.nodes[*maker].op != "Transpose") {
            return std::nullopt;
        }
        product.weights.between = NodeInput{*maker, 0};
        product.weights.data = values_.constant(model_.nodes[*maker].inputs[0]);
        is_turned = !is_turned;
    }
    if (product.weights.data == nullptr || product.weights.data->dimensions.size() != 2) {
        return std::nullopt;
    }
    product.rows_axis = is_turned ? 1 : 0;
    return product;
}

std::optional<HeadCount> LayerFinder::from_end(NodeInput shape, std::size_t before) const {
    const auto at = [&](NodeInput reader, std::optional<NodeInput> between, const TensorData &data) {
        const auto elements = static_cast<std::size_t>(data.elements());
        return HeadCount{{reader, between, &data}, elements - 1 - before, false};
    };
    const std::string_view name = model_.nodes[shape.node].inputs[shape.input];
    if (const TensorData *const data = values_.constant(name)) {
        return before < data->elements() ? std::optional(at(shape, std::nullopt, *data)) : std::nullopt;
    }
    const auto maker = values_.maker(name);
    if (!maker || model_.nodes[*maker].op != "Concat") {
        return std::nullopt;
    }
    const auto &parts = model_.nodes[*maker].inputs;
    for (std::size_t i = parts.size(); i-- > 0;) {
        const TensorData *const data = values_.constant(parts[i]);
        if (data == nullptr) {
            return std::nullopt;
        }
        if (before < data->elements()) {
            return at(shape, NodeInput{*maker, i}, *data);
        }
        before -= static_cast<std::size_t>(data->elements());
    }
    return std::nullopt;
}

std::int64_t LayerFinder::number_at(const HeadCount &count) const {
    const auto numbers = numbers_of(*count.use.data);
    return numbers ? static_cast<std::int64_t>((*numbers)[count.place]) : 0;
}

std::size_t LayerFinder::least_elements(std::string_view shape) const {
    if (const TensorData *const data = values_.constant(shape)) {
        return static_cast<std::size_t>(data->elements());
    }
    const auto maker = values_.maker(shape);
    std::size_t count = 0;
    if (maker && model_.nodes[*maker].op == "Concat") {
        for (const std::string_view part : model_.nodes[*maker].inputs) {
            const TensorData *const data = values_.constant(part);
            count += data == nullptr ? 1 : static_cast<std::size_t>(data->elements());
        }
    }
    return count;
}

bool LayerFinder::has_heads(std::size_t heads) {
    if (layer_.heads != 0 && layer_.heads != heads && !error_) {
        error_ = Error(fmt::format("the layer of node '{}' has {} heads of one kind and {} of another", layer_.name,
                                   layer_.heads, heads),
                       "keys and values that several heads share cannot be cut");
    }
    layer_.heads = heads;
    layer_.cells = width() / heads;
    return true;
}

void LayerFinder::note_width(std::size_t reshape) {
    auto last = from_end({reshape, 1}, 0);
    if (last && number_at(*last) == width_) {
        last->is_width = true;
        layer_.counts.push_back(*last);
    }
}

bool LayerFinder::splits(std::size_t node) {
    constexpr std::size_t least_axes = 3;  // some parts of a shape may have several elements
    const Node &reshape = model_.nodes[node];
    const auto cells = reshape.inputs.size() > 1 ? from_end({node, 1}, 0) : std::nullopt;
    const auto heads = cells ? from_end({node, 1}, 1) : std::nullopt;
    if (!heads || least_elements(reshape.inputs[1]) < least_axes) {
        return false;
    }
    const std::int64_t told = number_at(*heads);
    const std::int64_t size = number_at(*cells);
    const std::int64_t count = told > 0 ? told : told == -1 && size > 0 ? width_ / size : 0;
    if (count <= 0 || width_ % count != 0 || (size != width_ / count && size != -1)) {
        return false;
    }
    const AttentionLayer before = layer_;
    const std::set<std::string_view> followed_before = followed_;
    if (!follow(reshape.inputs[0], Form::rows)) {
        layer_ = before;
        followed_ = followed_before;
        return false;
    }
    if (told > 0) {
        layer_.counts.push_back(*heads);
    }
    return has_heads(static_cast<std::size_t>(count));
}

bool LayerFinder::follow(std::string_view value, Form form) {
    const auto maker = values_.maker(value);
    if (value.empty() || values_.constant(value) != nullptr || !maker) {
        return form == Form::heads;
    }
    if (!followed_.insert(value).second) {
        return true;
    }
    if (model_.nodes[*maker].op == "Shape") {
        return form == Form::heads;
    }
    layer_.nodes.insert(*maker);
    return form == Form::rows ? follow_rows(*maker) : follow_heads(*maker);
}

bool LayerFinder::follow_rows(std::size_t node) {
    const Node &one = model_.nodes[node];
    const auto vector = [&](std::size_t input) {
        const TensorData *const data = values_.constant(one.inputs[input]);
        if (data == nullptr || data->elements() == 1) {
            return data != nullptr;
        }
        const std::int64_t last = data->dimensions.back();
        if (!is_multiple_of_width(last) || data->elements() != static_cast<std::uint64_t>(last)) {
            return false;
        }
        layer_.weights.push_back({{{node, input}, std::nullopt, data}, data->dimensions.size() - 1});
        return true;
    };
    if (const auto found = product(node)) {
        const std::size_t columns_axis = 1 - found->rows_axis;
        if (!is_multiple_of_width(found->weights.data->dimensions[columns_axis])) {
            return false;
        }
        layer_.weights.push_back({found->weights, columns_axis});
        return one.op != "Gemm" || one.inputs.size() < 3 || one.inputs[2].empty() || vector(2);
    }
    if (is_one_of(one.op, {"Add", "Sub", "Mul", "Div"})) {
        const std::size_t constant = values_.constant(one.inputs[0]) != nullptr ? 0 : 1;
        return vector(constant) && follow(one.inputs[1 - constant], Form::rows);
    }
    if (one.op == "Split") {
        const TensorData *const sizes = one.inputs.size() > 1 ? values_.constant(one.inputs[1]) : nullptr;
        for (std::size_t i = 0; sizes != nullptr && i < sizes->elements(); ++i) {
            const HeadCount size{{{node, 1}, std::nullopt, sizes}, i, true};
            if (number_at(size) != width_) {
                return false;
            }
            layer_.counts.push_back(size);
        }
        return follow(one.inputs[0], Form::rows);
    }
    if (one.op == "Reshape") {
        note_width(node);
    }
    return is_one_of(one.op, {"Reshape", "Identity", "Cast", "Dropout"}) && follow(one.inputs[0], Form::rows);
}

bool LayerFinder::follow_heads(std::size_t node) {
    const Node &one = model_.nodes[node];
    has_softmax_ |= one.op == "Softmax";
    if (one.op == "Reshape" && splits(node)) {
        return true;
    }
    for (const std::string_view input : one.inputs) {
        follow(input, Form::heads);
    }
    return true;
}

bool LayerFinder::mixes(std::size_t node) {
    const Node &one = model_.nodes[node];
    const auto heads = [&](std::string_view attribute) {
        const std::int64_t count = integer(one, attribute);
        if (count > 0 && width_ % count == 0) {
            layer_.attributes.emplace_back(node, attribute);
            return has_heads(static_cast<std::size_t>(count));
        }
        return false;
    };
    layer_.nodes.insert(node);
    if (one.op == "Attention" && one.domain == "com.microsoft") {
        const TensorData *const weights = one.inputs.size() > 1 ? values_.constant(one.inputs[1]) : nullptr;
        if (weights == nullptr || weights->dimensions.size() != 2 || weights->dimensions[1] != 3 * width_) {
            return false;
        }
        layer_.weights.push_back({{{node, 1}, std::nullopt, weights}, 1});
        const TensorData *const bias = one.inputs.size() > 2 ? values_.constant(one.inputs[2]) : nullptr;
        if (bias != nullptr) {
            layer_.weights.push_back({{{node, 2}, std::nullopt, bias}, 0});
        }
        return heads("num_heads");
    }
    if (one.op == "Attention") {
        if (one.inputs.size() < 3) {
            return false;
        }
        const bool has_rows = integer(one, "q_num_heads") != 0;
        const bool is_good = !has_rows || (heads("q_num_heads") && heads("kv_num_heads"));
        for (std::size_t i = 0; i < 3 && is_good; ++i) {
            if (!follow(one.inputs[i], has_rows ? Form::rows : Form::heads)) {
                return false;
            }
        }
        return is_good && layer_.heads != 0;
    }
    if (!is_one_of(one.op, {"MatMul", "FusedMatMul"}) || product(node)) {
        return false;
    }
    follow(one.inputs[0], Form::heads);
    follow(one.inputs[1], Form::heads);
    return has_softmax_ && layer_.heads != 0;
}

Result<std::optional<AttentionLayer>> LayerFinder::layer_before(std::size_t node) {
    const auto output = product(node);
    if (!output) {
        return std::optional<AttentionLayer>();
    }
    layer_.name = model_.nodes[node].name;
    layer_.output = {output->weights, output->rows_axis};
    width_ = output->weights.data->dimensions[output->rows_axis];
    auto maker = values_.maker(model_.nodes[node].inputs[0]);
    while (width_ > 0 && maker) {
        const Node &one = model_.nodes[*maker];
        if (!is_one_of(one.op, {"Reshape", "Transpose", "Identity", "Cast"})) {
            break;
        }
        layer_.nodes.insert(*maker);
        if (one.op == "Reshape" && one.inputs.size() > 1) {
            note_width(*maker);
        }
        maker = values_.maker(one.inputs[0]);
    }
    const bool is_found = width_ > 0 && maker && mixes(*maker);
    if (is_found && error_) {
        return *error_;
    }
    return is_found && !layer_.weights.empty() ? std::optional(std::move(layer_)) : std::nullopt;
}

// Why products that look like attention are none that can be cut.
Error no_attention(const Model &model) {
    const bool is_quantized = std::any_of(model.nodes.begin(), model.nodes.end(), [](const Node &node) {
        return is_one_of(node.op, {"MatMulInteger", "QLinearMatMul", "DynamicQuantizeMatMul", "MatMulIntegerToFloat",
                                   "QAttention", "DequantizeLinear", "MatMulNBits"});
    });
    const auto is_small = [](const TensorData &weights) {
        return info(weights.type).bytes <= 1 && weights.dimensions.size() > 1;
    };
    if (is_quantized || std::any_of(model.initializers.begin(), model.initializers.end(), is_small)) {
        return Error("the file is quantized, and heads are cut out of weights that are floats",
                     "cut the file in float, and quantize what comes out");
    }
    return Error("the graph has no attention that heads can be cut out of",
                 "looked for: values mixed by a softmax, or the operator Attention, between products with constant "
                 "weights, with a reshape that says the number of heads");
}

}  // namespace

Result<std::vector<AttentionLayer>> find_attention(const Model &model, const GraphValues &values) {
    std::vector<AttentionLayer> layers;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        auto layer = LayerFinder(model, values).layer_before(i);
        if (!layer) {
            return layer.error();
        }
        if (*layer) {
            layers.push_back(**std::move(layer));
        }
    }
    return layers.empty() ? Result<std::vector<AttentionLayer>>(no_attention(model)) : std::move(layers);
}

}  // namespace tenrex::onnx
