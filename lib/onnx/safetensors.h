// Files of weights without a graph: a length of 8 bytes, so many bytes of JSON with names, types and places, the
// elements.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

// Views of the bytes, which must outlive them; their names are the keys.
using Weights = std::map<std::string, TensorData, std::less<>>;

bool is_safetensors(std::string_view bytes) noexcept;
// Tensors of other types than ONNX has are left out. Errors: a header that is no JSON, or says what cannot be; places
// beyond the file, or of another size than the type and the shape say.
Result<Weights> read_safetensors(std::string_view bytes);

// A tensor of the same type with other elements.
struct ChangedTensor {
    std::vector<std::int64_t> dimensions;
    std::string raw;
};
// The file with these tensors changed, by their names; all else that it tells stays as it is.
Result<std::string> with_changed_tensors(std::string_view bytes,
                                         const std::map<std::string, ChangedTensor, std::less<>> &changes);

}  // namespace tenrex::onnx
