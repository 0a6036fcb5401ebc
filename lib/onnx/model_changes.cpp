// Field numbers are those of onnx.proto.
#include "lib/onnx/model_changes.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "lib/onnx/tensor_cut.h"
#include "lib/onnx/tensor_data.h"
#include "lib/onnx/wire_reader.h"
#include "lib/onnx/wire_writer.h"

namespace tenrex::onnx {

namespace {

// Calls visit(field, all its bytes) for the fields of a message that was read before, so it is none that is broken.
template <class Visit>
void each_field(std::string_view message, const Visit &visit) {
    WireReader reader(message);
    auto begin = static_cast<std::size_t>(reader.offset());
    while (const std::optional<WireField> field = reader.next()) {
        const auto end = static_cast<std::size_t>(reader.offset());
        visit(*field, message.substr(begin, end - begin));
        begin = end;
    }
}

std::string_view text_in(std::string_view message, std::uint32_t number) {
    std::string_view text;
    each_field(message, [&](const WireField &field, std::string_view /*all*/) {
        text = field.number == number ? field.bytes : text;
    });
    return text;
}

std::string integer_attribute(std::string_view name, std::int64_t value) {
    constexpr std::uint64_t integer = 2;
    std::string message;
    append_bytes(message, 1, name);
    append_number(message, 3, static_cast<std::uint64_t>(value));
    append_number(message, 20, integer);
    return message;
}

// An input of a graph with the type of a tensor.
std::string input_message(std::string_view name, ElementType type, const std::vector<std::int64_t> &dimensions) {
    std::string shape;
    for (const std::int64_t size : dimensions) {
        std::string dimension;
        append_number(dimension, 1, static_cast<std::uint64_t>(size));
        append_bytes(shape, 1, dimension);
    }
    std::string tensor;
    append_number(tensor, 1, static_cast<std::uint64_t>(info(type).number));
    append_bytes(tensor, 2, shape);
    std::string of_value;
    append_bytes(of_value, 1, tensor);
    std::string message;
    append_bytes(message, 1, name);
    append_bytes(message, 2, of_value);
    return message;
}

}  // namespace

ModelChanges::ModelChanges(std::string_view bytes, const Model &model, ModelFiles &files)
    : bytes_(bytes), model_(model), files_(files) {
    each_field(bytes, [&](const WireField &field, std::string_view /*all*/) {
        version_ = field.number == 1 ? static_cast<std::int64_t>(field.value) : version_;
    });
    const auto add_name = [&](std::string_view name) { names_.emplace(name); };
    for (const Node &node : model.nodes) {
        std::for_each(node.inputs.begin(), node.inputs.end(), add_name);
        std::for_each(node.outputs.begin(), node.outputs.end(), add_name);
    }
    for (const TensorData &data : model.initializers) {
        add_name(data.name);
    }
    for (const ValueInfo &input : model.inputs) {
        add_name(input.name);
    }
}

std::string ModelChanges::new_name(std::string_view like) {
    for (std::size_t number = 0;; ++number) {
        std::string name = fmt::format("{}_heads_{}", like, number);
        if (names_.insert(name).second) {
            return name;
        }
    }
}

void ModelChanges::read(const ConstantUse &use, const std::string &constant) {
    const auto value_at = [&](NodeInput input) { return model_.nodes[input.node].inputs[input.input]; };
    replaced_.insert(value_at(use.reader));
    if (!use.between) {
        inputs_[use.reader] = constant;
        return;
    }
    const std::string made = new_name(value_at(use.reader));
    copies_[use.reader.node].push_back({*use.between, constant, made});
    inputs_[use.reader] = made;
}

std::string ModelChanges::add(std::string_view like, ElementType type, const std::vector<std::int64_t> &dimensions,
                              std::string_view raw) {
    std::string name = new_name(like);
    constexpr std::int64_t may_be_no_inputs = 4;  // from this version of the format on
    tensors_.push_back({tensor_message(name, type, dimensions, raw),
                        version_ < may_be_no_inputs ? input_message(name, type, dimensions) : std::string()});
    return name;
}

void ModelChanges::forget_shapes(std::size_t node) {
    const auto &outputs = model_.nodes[node].outputs;
    shapes_.insert(outputs.begin(), outputs.end());
}

void ModelChanges::leave_out_unused() {
    std::map<std::string_view, std::size_t> readers;
    std::map<std::string_view, std::size_t> makers;
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
        const Node &node = model_.nodes[i];
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            readers[node.inputs[k]] += inputs_.contains({i, k}) ? 0 : 1;
        }
        for (const std::string_view output : node.outputs) {
            makers[output] = i;
        }
    }
    for (const auto &[before, copies] : copies_) {
        for (const Copy &copy : copies) {
            const auto &inputs = model_.nodes[copy.input.node].inputs;
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                readers[inputs[k]] += k == copy.input.input ? 0 : 1;
            }
        }
    }
    for (const ValueInfo &output : model_.outputs) {
        ++readers[output.name];
    }
    std::vector<std::string_view> candidates(replaced_.begin(), replaced_.end());
    while (!candidates.empty()) {
        const std::string_view value = candidates.back();
        candidates.pop_back();
        if (readers[value] != 0 || !unused_.insert(value).second) {
            continue;
        }
        const auto maker = makers.find(value);
        if (maker == makers.end() || !is_unused(model_.nodes[maker->second])) {
            continue;
        }
        for (std::size_t k = 0; k < model_.nodes[maker->second].inputs.size(); ++k) {
            if (!inputs_.contains({maker->second, k})) {
                const std::string_view input = model_.nodes[maker->second].inputs[k];
                --readers[input];
                candidates.push_back(input);
            }
        }
    }
}

bool ModelChanges::is_unused(const Node &node) const {
    return std::all_of(node.outputs.begin(), node.outputs.end(),
                       [&](std::string_view output) { return unused_.contains(output); });
}

Result<std::string> ModelChanges::write() {
    leave_out_unused();
    std::string result;
    result.reserve(bytes_.size());
    Status status;
    each_field(bytes_, [&](const WireField &field, std::string_view all) {
        if (field.number != 7) {
            result += all;
        } else if (status) {
            std::string graph;
            graph.reserve(field.bytes.size());
            status = append_graph(graph, field.bytes);
            append_bytes(result, 7, graph);
        }
    });
    constexpr std::size_t most_bytes = std::numeric_limits<std::int32_t>::max();
    if (status && result.size() > most_bytes) {
        return Error(
            fmt::format("the model would have {} bytes, more than a file of this format may have", result.size()),
            "weights in files of their own are not written");
    }
    return status ? Result<std::string>(std::move(result)) : Result<std::string>(status.error());
}

Status ModelChanges::append_graph(std::string &graph, std::string_view before) {
    std::vector<std::string_view> nodes;
    each_field(before, [&](const WireField &field, std::string_view /*all*/) {
        if (field.number == 1) {
            nodes.push_back(field.bytes);
        }
    });
    std::size_t node = 0;
    std::size_t tensor = 0;
    Status status;
    each_field(before, [&](const WireField &field, std::string_view all) {
        if (field.number == 1) {
            const auto copies = copies_.find(node);
            if (copies != copies_.end()) {
                for (const Copy &copy : copies->second) {
                    append_bytes(graph, 1, copied_node(copy, nodes[copy.input.node]));
                }
            }
            if (!is_unused(model_.nodes[node])) {
                append_bytes(graph, 1, changed_node(node, field.bytes));
            }
            ++node;
        } else if (field.number == 5) {
            const TensorData &data = model_.initializers[tensor++];
            if (unused_.contains(data.name)) {
                return;
            }
            if (!data.is_external) {
                graph += all;
            } else if (const auto message = with_elements(data, field.bytes)) {
                append_bytes(graph, 5, *message);
            } else {
                status = message.error();
            }
        } else {
            const bool is_dropped = (field.number == 11 && unused_.contains(text_in(field.bytes, 1))) ||
                                    (field.number == 13 && (shapes_.contains(text_in(field.bytes, 1)) ||
                                                            unused_.contains(text_in(field.bytes, 1))));
            graph += is_dropped ? std::string_view() : all;
        }
    });
    for (const auto &[message, input] : tensors_) {
        append_bytes(graph, 5, message);
        if (!input.empty()) {
            append_bytes(graph, 11, input);
        }
    }
    return status;
}

std::string ModelChanges::changed_node(std::size_t node, std::string_view message) const {
    std::string result;
    std::size_t input = 0;
    each_field(message, [&](const WireField &field, std::string_view all) {
        const auto read = field.number == 1 ? inputs_.find({node, input++}) : inputs_.end();
        const auto value = field.number == 5 ? attributes_.find({node, text_in(field.bytes, 1)}) : attributes_.end();
        if (read != inputs_.end()) {
            append_bytes(result, 1, read->second);
        } else if (value != attributes_.end()) {
            append_bytes(result, 5, integer_attribute(value->first.second, value->second));
        } else {
            result += all;
        }
    });
    return result;
}

std::string ModelChanges::copied_node(const Copy &copy, std::string_view message) {
    std::string result;
    std::size_t input = 0;
    each_field(message, [&](const WireField &field, std::string_view all) {
        if (field.number == 1 && input++ == copy.input.input) {
            append_bytes(result, 1, copy.value);
        } else if (field.number == 2 || field.number == 3) {
            append_bytes(result, field.number, copy.made);
        } else {
            result += all;
        }
    });
    return result;
}

Result<std::string> ModelChanges::with_elements(const TensorData &data, std::string_view message) const {
    const auto elements = external_bytes(data, &files_);
    if (!elements) {
        return elements.error();
    }
    std::string result;
    each_field(message, [&](const WireField &field, std::string_view all) {
        const bool is_place = field.number == 13 || field.number == 14;
        result += is_place ? std::string_view() : all;
    });
    append_bytes(result, 9, *elements);
    return result;
}

}  // namespace tenrex::onnx
