#include "lib/onnx/graph_values.h"

#include <variant>

namespace tenrex::onnx {

GraphValues::GraphValues(const Model &model) {
    for (const TensorData &data : model.initializers) {
        constants_.emplace(data.name, &data);
    }
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const Node &node = model.nodes[i];
        for (const std::string_view output : node.outputs) {
            makers_.emplace(output, i);
        }
        if (node.outputs.size() != 1) {
            continue;
        }
        if (node.op == "Identity" && node.inputs.size() == 1) {
            if (const TensorData *const same = constant(node.inputs[0])) {
                constants_.emplace(node.outputs[0], same);
            }
        } else if (node.op == "Constant" && node.attributes.size() == 1) {
            const AttributeValue &value = node.attributes[0].value;
            if (const auto *const data = std::get_if<TensorData>(&value)) {
                constants_.emplace(node.outputs[0], data);
            } else if (const auto *const numbers = std::get_if<std::vector<std::int64_t>>(&value)) {
                TensorData &list = lists_.emplace_back();
                list.type = ElementType::i64;
                list.dimensions = {static_cast<std::int64_t>(numbers->size())};
                list.integers = *numbers;
                constants_.emplace(node.outputs[0], &list);
            }
        }
    }
}

const TensorData *GraphValues::constant(std::string_view value) const {
    const auto found = constants_.find(value);
    return found == constants_.end() ? nullptr : found->second;
}

std::optional<std::size_t> GraphValues::maker(std::string_view value) const {
    const auto found = makers_.find(value);
    return found == makers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tenrex::onnx
