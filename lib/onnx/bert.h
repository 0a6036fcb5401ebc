// Encoders of the architecture BERT, whose weights stand in a file without a graph: the graph is made here, as a model
// of operators, from the names of the weights and what config.json says of the sizes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tenrex/result.h>

#include "lib/onnx/model_file.h"
#include "lib/onnx/safetensors.h"

namespace tenrex::onnx {

// weights: the bytes of a file as safetensors.h reads them, which must outlive the model; config: the text of
// config.json. Errors: another architecture; a function or kind of positions that is not known; a tensor that is not
// there, or has another shape than config.json says.
Result<Model> bert_model(std::string_view weights, std::string_view config);

// What stands in front of the names of the encoder's tensors.
std::string bert_prefix(const Weights &weights);
// "encoder.layer.3.attention.", behind the prefix.
std::string bert_attention(std::int64_t layer);

}  // namespace tenrex::onnx
