// Writes small models, field by field, for the tests: the numbers of the fields are those of onnx.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenrex::onnx {

inline std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) {
        bytes += static_cast<char>(value | 0x80);
    }
    return bytes + static_cast<char>(value);
}

inline std::string number_field(std::uint32_t field, std::uint64_t value) {
    return varint(field << 3) + varint(value);
}

inline std::string bytes_field(std::uint32_t field, std::string_view bytes) {
    return varint(field << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

// Weights between -1 and 1.
inline std::vector<float> numbers(std::size_t count, std::uint32_t seed) {
    std::vector<float> cells;
    cells.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        seed = seed * 1664525 + 1013904223;
        cells.push_back(static_cast<float>(static_cast<std::int32_t>(seed)) * 0x1p-31F);
    }
    return cells;
}

// A tensor of floats as raw bytes.
inline std::string float_tensor(std::string_view name, const std::vector<std::int64_t> &shape,
                                const std::vector<float> &cells) {
    std::string bytes;
    for (const std::int64_t size : shape) {
        bytes += number_field(1, static_cast<std::uint64_t>(size));
    }
    bytes += number_field(2, 1) + bytes_field(8, name);
    return bytes + bytes_field(9, {reinterpret_cast<const char *>(cells.data()), cells.size() * sizeof(float)});
}

inline std::string integer_tensor(std::string_view name, const std::vector<std::int64_t> &numbers) {
    std::string bytes = number_field(1, numbers.size()) + number_field(2, 7) + bytes_field(8, name);
    for (const std::int64_t number : numbers) {
        bytes += number_field(7, static_cast<std::uint64_t>(number));
    }
    return bytes;
}

inline std::string shaped_integer_tensor(std::string_view name, const std::vector<std::int64_t> &shape,
                                         const std::vector<std::int64_t> &numbers) {
    std::string bytes;
    for (const std::int64_t size : shape) {
        bytes += number_field(1, static_cast<std::uint64_t>(size));
    }
    bytes += number_field(2, 7) + bytes_field(8, name);
    for (const std::int64_t number : numbers) {
        bytes += number_field(7, static_cast<std::uint64_t>(number));
    }
    return bytes;
}

inline std::string integer_attribute(std::string_view name, std::int64_t value) {
    return bytes_field(1, name) + number_field(3, static_cast<std::uint64_t>(value)) + number_field(20, 2);
}

inline std::string integers_attribute(std::string_view name, const std::vector<std::int64_t> &values) {
    std::string bytes = bytes_field(1, name) + number_field(20, 7);
    for (const std::int64_t value : values) {
        bytes += number_field(8, static_cast<std::uint64_t>(value));
    }
    return bytes;
}

inline std::string real_attribute(std::string_view name, float value) {
    return bytes_field(1, name) + varint(2 << 3 | 5) + std::string(reinterpret_cast<const char *>(&value), 4) +
           number_field(20, 1);
}

inline std::string text_attribute(std::string_view name, std::string_view value) {
    return bytes_field(1, name) + bytes_field(4, value) + number_field(20, 3);
}

inline std::string node(std::string_view op, const std::vector<std::string> &inputs,
                        const std::vector<std::string> &outputs, const std::vector<std::string> &attributes = {},
                        std::string_view domain = {}) {
    std::string bytes;
    for (const std::string &input : inputs) {
        bytes += bytes_field(1, input);
    }
    for (const std::string &output : outputs) {
        bytes += bytes_field(2, output);
    }
    bytes += bytes_field(3, "the_" + std::string(op)) + bytes_field(4, op);
    for (const std::string &attribute : attributes) {
        bytes += bytes_field(5, attribute);
    }
    return bytes + bytes_field(7, domain);
}

// An input or output of floats; a size of 0 is an axis named "n".
inline std::string value_info(std::string_view name, const std::vector<std::int64_t> &shape, std::uint64_t type = 1) {
    std::string dimensions;
    for (const std::int64_t size : shape) {
        dimensions +=
            bytes_field(1, size == 0 ? bytes_field(2, "n") : number_field(1, static_cast<std::uint64_t>(size)));
    }
    return bytes_field(1, name) + bytes_field(2, bytes_field(1, number_field(1, type) + bytes_field(2, dimensions)));
}

// An input or output whose axes have sizes ("8") or names ("sequence").
inline std::string port(std::string_view name, const std::vector<std::string> &axes, std::uint64_t type = 1) {
    std::string dimensions;
    for (const std::string &axis : axes) {
        const bool is_number = axis.find_first_not_of("0123456789") == std::string::npos;
        dimensions += bytes_field(1, is_number ? number_field(1, std::stoull(axis)) : bytes_field(2, axis));
    }
    return bytes_field(1, name) + bytes_field(2, bytes_field(1, number_field(1, type) + bytes_field(2, dimensions)));
}

struct ModelParts {
    std::vector<std::string> nodes;
    std::vector<std::string> initializers;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::uint64_t opset = 17;
    std::vector<std::string> values = {};  // whose types are told
};

inline std::string model(const ModelParts &parts) {
    std::string graph;
    const auto add = [&](std::uint32_t field, const std::vector<std::string> &messages) {
        for (const std::string &message : messages) {
            graph += bytes_field(field, message);
        }
    };
    add(1, parts.nodes);
    add(5, parts.initializers);
    add(11, parts.inputs);
    add(12, parts.outputs);
    add(13, parts.values);
    return number_field(1, 8) + bytes_field(7, graph) + bytes_field(8, number_field(2, parts.opset));
}

}  // namespace tenrex::onnx
