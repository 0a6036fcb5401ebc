#include "lib/onnx/tensor_cut.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "lib/onnx/wire_writer.h"

namespace tenrex::onnx {

namespace {

// Calls visit(bytes, whether the index is one of those) for the bytes of each index of the axis, in their order.
template <class Visit>
void each_index(const ElementBytes &data, std::size_t axis, const std::vector<std::size_t> &indexes,
                const Visit &visit) {
    std::size_t inner = data.element;
    for (std::size_t i = axis + 1; i < data.dimensions.size(); ++i) {
        inner *= static_cast<std::size_t>(data.dimensions[i]);
    }
    const auto size = static_cast<std::size_t>(data.dimensions[axis]);
    std::vector<bool> is_chosen(size);
    for (const std::size_t index : indexes) {
        is_chosen[index] = true;
    }
    for (std::size_t i = 0; inner != 0 && i < data.bytes.size() / inner; ++i) {
        visit(data.bytes.substr(i * inner, inner), is_chosen[i % size]);
    }
}

template <class T>
std::string bytes_of(const std::vector<T> &numbers) {
    return {reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(T)};
}

}  // namespace

std::string without_indexes(const ElementBytes &data, std::size_t axis, const std::vector<std::size_t> &indexes) {
    std::string left;
    left.reserve(data.bytes.size());
    each_index(data, axis, indexes,
               [&](std::string_view bytes, bool is_chosen) { left += is_chosen ? std::string_view() : bytes; });
    return left;
}

std::string with_zeros_at(const ElementBytes &data, std::size_t axis, const std::vector<std::size_t> &indexes) {
    std::string all;
    all.reserve(data.bytes.size());
    each_index(data, axis, indexes, [&](std::string_view bytes, bool is_chosen) {
        is_chosen ? all.append(bytes.size(), '\0') : all.append(bytes);
    });
    return all;
}

Result<std::string> raw_floats(const TensorData &data, std::string_view external) {
    const ElementTypeInfo &type = info(data.type);
    if (type.kind != ElementKind::real) {
        return Error(
            fmt::format("the weights '{}' are of type {}, and heads are cut out of floats", data.name, type.name),
            "cut the file in float, and quantize what comes out");
    }
    std::string raw(data.is_external ? external : data.raw);
    if (raw.empty() && type.type == ElementType::f64) {
        raw = bytes_of(data.doubles);
    } else if (raw.empty() && type.type == ElementType::f32) {
        raw = bytes_of(data.floats);
    } else if (raw.empty()) {  // their bits stand in the list
        for (const std::int64_t bits : data.integers) {
            raw.append(reinterpret_cast<const char *>(&bits), type.bytes);
        }
    }
    if (raw.size() != data.elements() * type.bytes) {
        return Error(fmt::format("tensor '{}' has {} bytes of elements, which is not what its dimensions say",
                                 data.name, raw.size()),
                     "the file is damaged, or was written by a program that has a mistake");
    }
    return raw;
}

std::string tensor_message(std::string_view name, ElementType type, const std::vector<std::int64_t> &dimensions,
                           std::string_view raw) {
    std::string message;
    for (const std::int64_t size : dimensions) {
        append_number(message, 1, static_cast<std::uint64_t>(size));
    }
    append_number(message, 2, static_cast<std::uint64_t>(info(type).number));
    append_bytes(message, 8, name);
    append_bytes(message, 9, raw);
    return message;
}

}  // namespace tenrex::onnx
