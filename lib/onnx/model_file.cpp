// Field numbers are those of onnx.proto.
#include "lib/onnx/model_file.h"

#include <bit>

#include <fmt/format.h>

#include "lib/onnx/wire_reader.h"

namespace tenrex::onnx {

namespace {

// The fields of a message. The first problem, in this message or one that stands in it, ends the reading.
class MessageReader {
public:
    explicit MessageReader(std::string_view bytes) : problem_at_(0), bytes_(bytes) {}

    bool read(Model &model) {
        return each(bytes_, 0, "model", [&](const WireField &field) {
            switch (field.number) {
                case 2:
                    return text(field, model.producer);
                case 3:
                    return text(field, model.producer_version);
                case 7:
                    return is_message(field) && graph(field, model);
                case 8:
                    return is_message(field) && operator_set(field, model.operator_sets.emplace_back());
                case 25:
                    model.has_functions = true;
                    return true;
                default:
                    return true;
            }
        });
    }

    bool read(TensorData &data) { return tensor({0, WireType::bytes, 0, bytes_, 0}, data); }

    Error error() const {
        return Error(fmt::format("byte {}: {}", problem_at_, problem_),
                     "is the file an ONNX model that was written and copied whole?");
    }

private:
    template <class Visit>
    bool each(std::string_view bytes, std::uint64_t offset, std::string_view what, const Visit &visit) {
        WireReader reader(bytes, offset);
        while (const std::optional<WireField> field = reader.next()) {
            if (!visit(*field)) {
                return fail(field->offset,
                            fmt::format("field {} of a {} has a value that it cannot have", field->number, what));
            }
        }
        return reader.problem() == nullptr || fail(reader.offset(), reader.problem());
    }

    // The first problem is the one that is told.
    bool fail(std::uint64_t offset, std::string problem) {
        if (problem_.empty()) {
            problem_at_ = offset;
            problem_ = std::move(problem);
        }
        return false;
    }

    static bool is_message(const WireField &field) { return field.type == WireType::bytes; }
    static bool text(const WireField &field, std::string_view &to) {
        to = field.bytes;
        return field.type == WireType::bytes;
    }
    static bool number(const WireField &field, std::int64_t &to) {
        to = static_cast<std::int64_t>(field.value);
        return field.type == WireType::varint;
    }
    static bool element_type(const WireField &field, std::optional<ElementType> &to) {
        to = element_type_from_number(static_cast<std::int64_t>(field.value));
        return field.type == WireType::varint && to.has_value();
    }

    bool operator_set(const WireField &message, OperatorSet &set) {
        return each(message.bytes, message.offset, "set of operators", [&](const WireField &field) {
            return field.number == 1 ? text(field, set.domain) : field.number != 2 || number(field, set.version);
        });
    }

    bool graph(const WireField &message, Model &model) {
        return each(message.bytes, message.offset, "graph", [&](const WireField &field) {
            switch (field.number) {
                case 1:
                    return is_message(field) && node(field, model.nodes.emplace_back());
                case 2:
                    return text(field, model.graph_name);
                case 5:
                    return is_message(field) && tensor(field, model.initializers.emplace_back());
                case 11:
                    return is_message(field) && value_info(field, model.inputs.emplace_back());
                case 12:
                    return is_message(field) && value_info(field, model.outputs.emplace_back());
                case 15:
                    return fail(field.offset, "the weights are stored as sparse tensors, which are not supported");
                default:
                    return true;
            }
        });
    }

    bool node(const WireField &message, Node &node) {
        return each(message.bytes, message.offset, "node", [&](const WireField &field) {
            switch (field.number) {
                case 1:
                    return text(field, node.inputs.emplace_back());
                case 2:
                    return text(field, node.outputs.emplace_back());
                case 3:
                    return text(field, node.name);
                case 4:
                    return text(field, node.op);
                case 5:
                    return is_message(field) && attribute(field, node.attributes.emplace_back());
                case 7:
                    return text(field, node.domain);
                default:
                    return true;
            }
        });
    }

    bool attribute(const WireField &message, Attribute &attribute) {
        // What a kind of attribute holds is in a field of its own; the kind itself is left out by old files.
        std::int64_t kind = 0;
        std::int64_t integer = 0;
        float real = 0;
        std::string_view word;
        TensorData data;
        std::vector<std::int64_t> integers;
        std::vector<float> reals;
        std::vector<std::string_view> words;
        std::uint32_t last = 0;
        const auto visit = [&](const WireField &field) {
            last = field.number >= 2 && field.number <= 11 ? field.number : last;
            switch (field.number) {
                case 1:
                    return text(field, attribute.name);
                case 2:
                    real = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
                    return field.type == WireType::fixed32;
                case 3:
                    return number(field, integer);
                case 4:
                    return text(field, word);
                case 5:
                    return is_message(field) && tensor(field, data);
                case 7:
                    return add_floats(field, reals);
                case 8:
                    return add_integers(field, integers);
                case 9:
                    return text(field, words.emplace_back());
                case 20:
                    return number(field, kind);
                default:
                    return true;
            }
        };
        if (!each(message.bytes, message.offset, "attribute", visit)) {
            return false;
        }
        // Kind 1 is in field 2, and so on; graphs are kinds 5 and 10, lists begin with kind 6 in field 7.
        constexpr std::uint32_t field_of_kind[] = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        const std::uint32_t field = kind > 0 && kind <= 10 ? field_of_kind[kind] : last;
        switch (field) {
            case 2:
                attribute.value = real;
                return true;
            case 3:
                attribute.value = integer;
                return true;
            case 4:
                attribute.value = word;
                return true;
            case 5:
                attribute.value = std::move(data);
                return true;
            case 7:
                attribute.value = std::move(reals);
                return true;
            case 8:
                attribute.value = std::move(integers);
                return true;
            case 9:
                attribute.value = std::move(words);
                return true;
            default:
                attribute.value = SubgraphData{};
                return true;
        }
    }

    bool tensor(const WireField &message, TensorData &data) {
        std::optional<ElementType> type;
        const auto visit = [&](const WireField &field) {
            switch (field.number) {
                case 1:
                    return add_integers(field, data.dimensions);
                case 2:
                    return element_type(field, type);
                case 3:
                    return fail(field.offset, "a tensor is stored in segments, which are not supported");
                case 4:
                    return add_floats(field, data.floats);
                case 5:
                case 7:
                case 11:
                    return add_integers(field, data.integers);
                case 6:
                    return text(field, data.texts.emplace_back());
                case 8:
                    return text(field, data.name);
                case 9:
                    return text(field, data.raw);
                case 10:
                    return add_doubles(field, data.doubles);
                case 13:
                    return is_message(field) && entry(field, data.external.emplace_back());
                case 14:
                    data.is_external = field.value == 1;
                    return field.type == WireType::varint;
                default:
                    return true;
            }
        };
        if (!each(message.bytes, message.offset, "tensor", visit)) {
            return false;
        }
        constexpr std::uint64_t most_elements = std::uint64_t{1} << 40;
        std::uint64_t elements = 1;
        for (const std::int64_t size : data.dimensions) {
            if (size < 0 || (size > 0 && elements > most_elements / static_cast<std::uint64_t>(size))) {
                return fail(message.offset, fmt::format("tensor '{}' has a size that it cannot have", data.name));
            }
            elements *= static_cast<std::uint64_t>(size);
        }
        data.type = type.value_or(ElementType::f32);
        return type.has_value() || fail(message.offset, fmt::format("tensor '{}' has no type", data.name));
    }

    bool entry(const WireField &message, std::pair<std::string_view, std::string_view> &entry) {
        return each(message.bytes, message.offset, "entry", [&](const WireField &field) {
            return field.number == 1 ? text(field, entry.first) : field.number != 2 || text(field, entry.second);
        });
    }

    bool value_info(const WireField &message, ValueInfo &value) {
        return each(message.bytes, message.offset, "value", [&](const WireField &field) {
            if (field.number == 1) {
                return text(field, value.name);
            }
            return field.number != 2 || (is_message(field) && type_of(field, value));
        });
    }

    // Of a tensor; those of other kinds are noted as none.
    bool type_of(const WireField &message, ValueInfo &value) {
        return each(message.bytes, message.offset, "type", [&](const WireField &field) {
            return field.number != 1 || (is_message(field) && tensor_type(field, value));
        });
    }

    bool tensor_type(const WireField &message, ValueInfo &value) {
        return each(message.bytes, message.offset, "type", [&](const WireField &field) {
            if (field.number == 1) {
                return field.value == 0 || element_type(field, value.type);
            }
            if (field.number != 2) {
                return true;
            }
            value.has_shape = true;
            return is_message(field) && each(field.bytes, field.offset, "shape", [&](const WireField &dimension) {
                       return dimension.number != 1 ||
                              (is_message(dimension) && size(dimension, value.shape.emplace_back()));
                   });
        });
    }

    bool size(const WireField &message, DimensionData &dimension) {
        return each(message.bytes, message.offset, "dimension", [&](const WireField &field) {
            if (field.number == 1) {
                std::int64_t value = 0;
                const bool good = number(field, value) && value >= 0;
                dimension.size = value;
                return good;
            }
            return field.number != 2 || text(field, dimension.name);
        });
    }

    std::uint64_t problem_at_;
    std::string problem_;
    std::string_view bytes_;
};

}  // namespace

std::uint64_t TensorData::elements() const noexcept {
    std::uint64_t product = 1;
    for (const std::int64_t size : dimensions) {
        product *= static_cast<std::uint64_t>(size);
    }
    return product;
}

const Attribute *Node::find(std::string_view attribute) const noexcept {
    for (const Attribute &each : attributes) {
        if (each.name == attribute) {
            return &each;
        }
    }
    return nullptr;
}

Result<Model> read_model(std::string_view bytes) {
    Model model;
    MessageReader reader(bytes);
    if (!reader.read(model)) {
        return reader.error();
    }
    if (model.operator_sets.empty()) {
        return Error("the file names no set of operators", "is it an ONNX model?");
    }
    return model;
}

Result<TensorData> read_tensor(std::string_view bytes) {
    TensorData data;
    MessageReader reader(bytes);
    return reader.read(data) ? Result<TensorData>(std::move(data)) : reader.error();
}

}  // namespace tenrex::onnx
