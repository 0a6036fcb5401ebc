#include "lib/onnx/node_context.h"

#include <algorithm>

#include <fmt/format.h>

namespace tenrex::onnx {

namespace {

template <class T>
const T *find_attribute(const Node &node, std::string_view name) {
    const Attribute *attribute = node.find(name);
    return attribute == nullptr ? nullptr : std::get_if<T>(&attribute->value);
}

}  // namespace

std::int64_t NodeContext::integer(std::string_view name, std::int64_t otherwise) const {
    const auto *value = find_attribute<std::int64_t>(node_, name);
    return value == nullptr ? otherwise : *value;
}

double NodeContext::real(std::string_view name, double otherwise) const {
    const auto *value = find_attribute<float>(node_, name);
    return value == nullptr ? otherwise : static_cast<double>(*value);
}

std::string_view NodeContext::text(std::string_view name, std::string_view otherwise) const {
    const auto *value = find_attribute<std::string_view>(node_, name);
    return value == nullptr ? otherwise : *value;
}

std::optional<std::vector<std::int64_t>> NodeContext::integers(std::string_view name) const {
    const auto *value = find_attribute<std::vector<std::int64_t>>(node_, name);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::vector<float>> NodeContext::reals(std::string_view name) const {
    const auto *value = find_attribute<std::vector<float>>(node_, name);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

const TensorData *NodeContext::tensor(std::string_view name) const {
    return find_attribute<TensorData>(node_, name);
}

std::optional<std::vector<std::int64_t>> NodeContext::known_integers(std::size_t number) {
    const Value &value = input(number);
    if (value.known == nullptr) {
        fail(fmt::format("input '{}' decides a shape, but its value is not known when the model is imported",
                         node_.inputs[number]),
             "give its value as a constant when importing, or export the model with the value in it");
        return std::nullopt;
    }
    std::vector<std::int64_t> integers;
    integers.reserve(value.known->size());
    for (const double number_of : *value.known) {
        integers.push_back(size_of(number_of));
    }
    return integers;
}

bool NodeContext::takes(AxesTaken axes) {
    for (std::size_t i = 0; i < inputs(); ++i) {
        if (!has_input(i)) {
            continue;
        }
        if (axes == AxesTaken::fixed && has_open(input(i).shape)) {
            return fail_open(fmt::format("the shape of input '{}'", node_.inputs[i]), input(i).shape);
        }
        // Such sizes are numbers when the values are there.
        if (axes == AxesTaken::open && input(i).has_open_elements()) {
            depends_on_values();
        }
        if (axes == AxesTaken::fixed && input(i).has_open_elements()) {
            return fail_open(fmt::format("input '{}'", node_.inputs[i]), *known_integers(i));
        }
    }
    return true;
}

bool NodeContext::fail_open(std::string_view what, const Shape &shape) {
    const auto open = std::find_if(shape.begin(), shape.end(), [](std::int64_t size) { return is_open(size); });
    return fail(fmt::format("{} is {}, but the operator needs a known size for '{}', which comes with the values", what,
                            open_sizes().text(shape), open_sizes().text(*open)),
                fmt::format("import the model with a size for '{}', or for an input of a type that has one",
                            open_sizes().text(*open)));
}

bool NodeContext::integers_of(std::string_view attribute, std::size_t number,
                              std::optional<std::vector<std::int64_t>> &list) {
    list = integers(attribute);
    if (list || !has_input(number)) {
        return true;
    }
    list = known_integers(number);
    return list.has_value();
}

std::optional<std::size_t> NodeContext::axis(std::int64_t axis, std::size_t rank) {
    const auto size = static_cast<std::int64_t>(rank);
    if (axis < -size || axis >= size) {
        fail(fmt::format("there is no axis {} in a tensor with {} axes", axis, rank));
        return std::nullopt;
    }
    return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

std::optional<Axes> NodeContext::axes(const std::vector<std::int64_t> &list, std::size_t rank) {
    Axes result;
    for (const std::int64_t each : list) {
        const auto one = axis(each, rank);
        if (!one) {
            return std::nullopt;
        }
        if (std::find(result.begin(), result.end(), *one) != result.end()) {
            fail(fmt::format("axis {} is named twice", *one));
            return std::nullopt;
        }
        result.push_back(*one);
    }
    return result;
}

bool NodeContext::operands_are_known() const noexcept {
    return parts_are_known_ && std::all_of(inputs_.begin(), inputs_.end(), [](const Value *value) {
               return value == nullptr || value->known != nullptr;
           });
}

bool NodeContext::operands_are_constant() const noexcept {
    return parts_are_constant_ && std::all_of(inputs_.begin(), inputs_.end(), [](const Value *value) {
               return value == nullptr || value->is_constant;
           });
}

const OpenSizes &NodeContext::open_sizes() const noexcept {
    return importer_.open_sizes();
}

std::string NodeContext::text_of(const Shape &shape) const {
    return open_sizes().text(shape);
}

bool NodeContext::output(ElementType type, const Shape &shape, const std::string &text) {
    if (elements_of(shape) == 0) {
        return output_known(type, shape, {});
    }
    auto value = importer_.define(type, shape, text, operands_are_known());
    if (!value) {
        error_ = value.error();
        return false;
    }
    value->is_constant = value->is_constant || operands_are_constant();
    return output_value(*std::move(value));
}

bool NodeContext::output_known(ElementType type, const Shape &shape, std::vector<double> numbers) {
    auto value = importer_.constant(type, shape, std::move(numbers));
    if (!value) {
        error_ = value.error();
        return false;
    }
    return output_value(*std::move(value));
}

bool NodeContext::output_value(Value value) {
    results_.push_back(std::move(value));
    return true;
}

bool NodeContext::output_copies(const Value &value, const Shape &shape) {
    if (!output(value.type, shape, broadcast_to(value, shape, open_sizes()))) {
        return false;
    }
    Value &copies = results_.back();
    if (!copies.known && shape != value.shape) {
        copies.copied = value.copied ? value.copied : std::make_shared<const Value>(value);
    }
    return true;
}

std::optional<Value> NodeContext::part(ElementType type, const Shape &shape, const std::string &text) {
    auto value = importer_.define(type, shape, text, operands_are_known());
    if (!value) {
        error_ = value.error();
        return std::nullopt;
    }
    value->is_constant = value->is_constant || operands_are_constant();
    parts_are_known_ = parts_are_known_ && value->known != nullptr;
    return *std::move(value);
}

std::optional<Value> NodeContext::known_part(ElementType type, const Shape &shape, std::vector<double> numbers) {
    auto value = importer_.constant(type, shape, std::move(numbers));
    if (!value) {
        error_ = value.error();
        return std::nullopt;
    }
    return *std::move(value);
}

bool NodeContext::fail(std::string problem, std::string hint) {
    error_ = Error(std::move(problem), std::move(hint));
    return false;
}

}  // namespace tenrex::onnx
