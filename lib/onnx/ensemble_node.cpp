#include "lib/onnx/ensemble_node.h"

#include <utility>

#include <fmt/format.h>

#include "lib/onnx/tensor_data.h"

namespace tenrex::onnx {

template <class T>
T EnsembleNode::value(std::string_view name, T otherwise, std::string_view kind) const {
    const Attribute *const attribute = node_.find(name);
    if (attribute == nullptr) {
        return otherwise;
    }
    const auto *const found = std::get_if<T>(&attribute->value);
    if (found == nullptr) {
        fail(name, fmt::format("it is no {}", kind));
    }
    return *found;
}

template <class T>
std::vector<T> EnsembleNode::list(std::string_view name) const {
    return value(name, std::vector<T>(), "list of the right kind");
}

const TensorData *EnsembleNode::tensor(std::string_view name) const {
    for (const std::string &tried : {std::string(name), fmt::format("{}_as_tensor", name)}) {
        if (const Attribute *const attribute = node_.find(tried)) {
            if (const auto *const data = std::get_if<TensorData>(&attribute->value)) {
                return data;
            }
        }
    }
    return nullptr;
}

std::vector<std::int64_t> EnsembleNode::integers(std::string_view name) const {
    return list<std::int64_t>(name);
}

std::vector<std::string_view> EnsembleNode::texts(std::string_view name) const {
    return list<std::string_view>(name);
}

std::int64_t EnsembleNode::integer(std::string_view name, std::int64_t otherwise) const {
    return value(name, otherwise, "whole number");
}

std::string_view EnsembleNode::text(std::string_view name, std::string_view otherwise) const {
    return value(name, otherwise, "text");
}

std::vector<double> EnsembleNode::numbers(std::string_view name) const {
    if (const TensorData *const data = tensor(name)) {
        auto numbers = numbers_of(*data);
        if (!numbers) {
            fail(name, numbers.error().message());
        }
        return *std::move(numbers);
    }
    const std::vector<float> floats = list<float>(name);
    return {floats.begin(), floats.end()};
}

bool EnsembleNode::has_doubles(std::string_view name) const {
    const TensorData *const data = tensor(name);
    return data != nullptr && data->type == ElementType::f64;
}

void EnsembleNode::check_size(std::string_view name, std::size_t size, std::size_t expected) const {
    if (size != expected) {
        fail(name, fmt::format("it has {} values; there must be {}", size, expected));
    }
}

void EnsembleNode::fail(std::string_view attribute, std::string message, std::string hint) const {
    throw BadEnsemble{Error(fmt::format("node '{}' of operator {}, attribute {}: {}", node_.name.substr(0, 100),
                                        node_.op, attribute, message),
                            std::move(hint))};
}

}  // namespace tenrex::onnx
