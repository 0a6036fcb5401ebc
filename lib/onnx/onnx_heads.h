// ONNX files of encoders with fewer heads.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/attention_heads.h>
#include <tenrex/result.h>

#include "lib/onnx/attention_layers.h"
#include "lib/onnx/graph_values.h"
#include "lib/onnx/model_bytes.h"
#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

class OnnxHeads {
public:
    // The bytes must outlive it.
    static Result<std::unique_ptr<const OnnxHeads>> read(std::string_view bytes);

    std::vector<AttentionHeads::Layer> layers() const;
    // Of a choice that was checked. is_silenced: shapes stay, and the product behind attention has zeros.
    Result<std::string> without(const AttentionHeads::Choice &heads, bool is_silenced, ModelFiles &files) const;

private:
    OnnxHeads(std::string_view bytes, Model model) : bytes_(bytes), model_(std::move(model)), values_(model_) {}

    std::string_view bytes_;
    Model model_;
    GraphValues values_;
    std::vector<AttentionLayer> layers_;
};

}  // namespace tenrex::onnx
