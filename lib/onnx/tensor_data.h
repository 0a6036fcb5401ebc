// The elements of a tensor in a file as numbers and as a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>
#include <tenrex/tensor.h>

#include "lib/onnx/model_bytes.h"
#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

using Shape = std::vector<std::int64_t>;

// Of an open size, or more than 2^62: more than any tensor has.
std::uint64_t elements_of(const Shape &shape) noexcept;
// "d0", "d1", ...: the dimension that an axis has in every value.
std::string dimension_name(std::size_t axis);
// Errors: more axes than have names in order, an axis without indexes, too many cells.
Result<TensorType> type_of(ElementType type, const Shape &shape);

// The elements of a tensor that has them in another file; else nothing. Errors: no such file, or one that is cut off;
// null: there are no other files.
Result<std::string_view> external_bytes(const TensorData &data, ModelFiles *files);
// The elements, the last axis innermost. Errors: text or complex numbers; a number of elements that is not that of the
// dimensions. `external` holds the elements if they are in another file.
Result<std::vector<double>> numbers_of(const TensorData &data, std::string_view external = {});
// A value with the dimensions d0, d1, ... Floats stay where they are in a file, if it is one of these.
Result<Tensor> tensor_of(const TensorData &data, std::string_view external = {}, const ModelFiles *files = nullptr);
Result<Tensor> tensor_of(ElementType type, const Shape &shape, const std::vector<double> &numbers);

}  // namespace tenrex::onnx
