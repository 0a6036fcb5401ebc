// Files of weights without a graph: a length of 8 bytes, so many bytes of JSON with names, types and places, the
// elements.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <tenrex/result.h>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

// Views of the bytes, which must outlive them; their names are the keys.
using Weights = std::map<std::string, TensorData, std::less<>>;

bool is_safetensors(std::string_view bytes) noexcept;
// Tensors of other types than ONNX has are left out. Errors: a header that is no JSON, or says what cannot be; places
// beyond the file, or of another size than the type and the shape say.
Result<Weights> read_safetensors(std::string_view bytes);

}  // namespace tenrex::onnx
