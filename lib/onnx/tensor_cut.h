// Tensors in files without some of the indexes of an axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

// The bytes of elements, the last axis innermost.
struct ElementBytes {
    std::string_view bytes;
    std::vector<std::int64_t> dimensions;
    std::size_t element = 0;  // bytes of one
};

// indexes: in order. What is left of the bytes.
std::string without_indexes(const ElementBytes &data, std::size_t axis, const std::vector<std::size_t> &indexes);
// Zeros at these indexes, which all types have as bytes of 0.
std::string with_zeros_at(const ElementBytes &data, std::size_t axis, const std::vector<std::size_t> &indexes);

// The elements of a tensor of floats as they would stand in a file. external: those that are in another file. Errors:
// elements of another type, or not so many as the dimensions say.
Result<std::string> raw_floats(const TensorData &data, std::string_view external);
// A tensor as a message, with its elements as raw bytes.
std::string tensor_message(std::string_view name, ElementType type, const std::vector<std::int64_t> &dimensions,
                           std::string_view raw);

}  // namespace tenrex::onnx
