#include "lib/onnx/tensor_data.h"

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "lib/onnx/open_sizes.h"
#include "lib/storage/derived_tensor.h"
#include "lib/storage/mapped_tensor.h"
#include "lib/types/number.h"

namespace tenrex::onnx {

namespace {

Error wrong_count(const TensorData &data, std::uint64_t found) {
    return Error(
        fmt::format("tensor '{}' has {} elements, but its dimensions say {}", data.name, found, data.elements()),
        "the file is damaged, or was written by a program that has a mistake");
}

}  // namespace

std::uint64_t elements_of(const Shape &shape) noexcept {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    std::uint64_t product = 1;
    for (const std::int64_t size : shape) {
        const std::uint64_t factor = is_open(size) ? std::uint64_t{1} << 40 : static_cast<std::uint64_t>(size);
        if (factor == 0) {
            return 0;
        }
        product = product > most / factor ? most : product * factor;
    }
    return product;
}

std::string dimension_name(std::size_t axis) {
    return fmt::format("d{}", axis);
}

Result<TensorType> type_of(ElementType type, const Shape &shape) {
    constexpr std::size_t most_axes = 10;  // d10 would stand before d2
    if (shape.size() > most_axes) {
        return Error(fmt::format("a tensor has {} axes", shape.size()),
                     fmt::format("at most {} have names", most_axes));
    }
    std::vector<Dimension> dimensions;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (is_open(shape[axis])) {
            dimensions.push_back(Dimension::open(dimension_name(axis)));
            continue;
        }
        if (shape[axis] <= 0) {
            return Error("a tensor has an axis without indexes", "each dimension needs at least one index");
        }
        dimensions.push_back({dimension_name(axis), static_cast<std::uint64_t>(shape[axis])});
    }
    const CellType cell_type = dimensions.empty() ? CellType::f64 : info(type).cell_type;
    return TensorType::make(cell_type, std::move(dimensions));
}

Result<std::string_view> external_bytes(const TensorData &data, ModelFiles *files) {
    if (!data.is_external) {
        return std::string_view();
    }
    std::string_view location;
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length;
    for (const auto &[key, value] : data.external) {
        const auto number = [&digits = value]() -> std::uint64_t {
            std::uint64_t result = 0;
            for (const char c : digits) {
                result = c >= '0' && c <= '9' && result < std::uint64_t{1} << 50
                             ? result * 10 + static_cast<std::uint64_t>(c - '0')
                             : ~std::uint64_t{0} >> 1;
            }
            return result;
        };
        if (key == "location") {
            location = value;
        } else if (key == "offset") {
            offset = number();
        } else if (key == "length") {
            length = number();
        }
    }
    if (files == nullptr) {
        return Error(fmt::format("tensor '{}' has its elements in the file '{}'", data.name, location),
                     "load the model from its file, so that files beside it can be found");
    }
    auto file = files->beside(location);
    if (!file) {
        return std::move(file).error();
    }
    const std::uint64_t wanted = length.value_or(data.elements() * info(data.type).bytes);
    if (offset > file->size() || wanted > file->size() - offset) {
        return Error(fmt::format("tensor '{}' has its elements in bytes {} to {} of '{}', which has {}", data.name,
                                 offset, offset + wanted, location, file->size()),
                     "the file beside the model is cut off, or belongs to another model");
    }
    return file->substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(wanted));
}

Result<std::vector<double>> numbers_of(const TensorData &data, std::string_view external) {
    const ElementTypeInfo &type = info(data.type);
    if (type.kind == ElementKind::other) {
        return Error(fmt::format("tensor '{}' has elements of type {}", data.name, type.name),
                     "only numbers and booleans are supported");
    }
    const std::uint64_t count = data.elements();
    std::vector<double> numbers;
    const std::string_view raw = data.is_external ? external : data.raw;
    if (!raw.empty() || data.is_external) {
        if (raw.size() / type.bytes != count || raw.size() % type.bytes != 0) {
            return wrong_count(data, raw.size() / type.bytes);
        }
        numbers.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            numbers.push_back(type.from_bytes(raw.data() + i * type.bytes));
        }
        return numbers;
    }
    if (data.type == ElementType::f32) {
        numbers.assign(data.floats.begin(), data.floats.end());
    } else if (data.type == ElementType::f64) {
        numbers = data.doubles;
    } else {
        numbers.reserve(data.integers.size());
        for (const std::int64_t integer : data.integers) {
            numbers.push_back(type.from_integer(integer));
        }
    }
    if (numbers.size() != count) {
        return wrong_count(data, numbers.size());
    }
    return numbers;
}

Result<Tensor> tensor_of(ElementType type, const Shape &shape, const std::vector<double> &numbers) {
    auto tensor_type = type_of(type, shape);
    if (!tensor_type) {
        return std::move(tensor_type).error();
    }
    TensorBuilder builder(*std::move(tensor_type));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        builder.set(0, i, numbers[i]);
    }
    return std::move(builder).build();
}

Result<Tensor> tensor_of(const TensorData &data, std::string_view external, const ModelFiles *files) {
    const std::string_view raw = data.is_external ? external : data.raw;
    const ElementTypeInfo &element = info(data.type);
    if (element.kind == ElementKind::other || data.dimensions.empty() || raw.empty()) {
        const auto numbers = numbers_of(data, external);
        return numbers ? tensor_of(data.type, data.dimensions, *numbers) : Result<Tensor>(numbers.error());
    }
    const std::uint64_t count = data.elements();
    if (raw.size() / element.bytes != count || raw.size() % element.bytes != 0) {
        return wrong_count(data, raw.size() / element.bytes);
    }
    auto type = type_of(data.type, data.dimensions);
    if (!type) {
        return std::move(type).error();
    }
    auto file = files == nullptr ? nullptr : files->holder_of(raw);
    // Most weights are floats, and lie in the file as cells do.
    if (data.type == ElementType::f32 && file != nullptr) {
        return MappedTensor::make(*std::move(type), std::move(file), raw);
    }
    const CellType cell_type = type->cell_type();
    const auto convert = [=, from_bytes = element.from_bytes, bytes = element.bytes](std::byte *to) {
        if (cell_type == CellType::f32 && bytes == sizeof(float)) {
            std::memcpy(to, raw.data(), raw.size());
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                store_cell(cell_type, to, i, from_bytes(raw.data() + i * bytes));
            }
        }
        if (file != nullptr) {
            file->let_go(raw);
        }
    };
    if (file != nullptr) {
        return DerivedTensor::make(*std::move(type), convert);
    }
    TensorBuilder builder(*std::move(type));
    convert(static_cast<std::byte *>(builder.cells(0)));
    return std::move(builder).build();
}

}  // namespace tenrex::onnx
