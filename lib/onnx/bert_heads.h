// Weights of the architecture BERT with fewer heads.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/attention_heads.h>
#include <tenrex/result.h>

#include "lib/onnx/bert_config.h"
#include "lib/onnx/safetensors.h"

namespace tenrex::onnx {

class BertHeads {
public:
    // The bytes of both files must outlive it.
    static Result<BertHeads> read(std::string_view bytes, std::string_view config);

    std::vector<AttentionHeads::Layer> layers() const;
    // Of a choice that was checked. is_silenced: shapes stay, and the product behind attention has zeros.
    Result<AttentionHeads::Files> without(const AttentionHeads::Choice &heads, bool is_silenced) const;

private:
    BertHeads(std::string_view bytes, std::string_view config, Weights weights, BertConfig said)
        : bytes_(bytes), config_(config), weights_(std::move(weights)), said_(std::move(said)) {}

    std::string attention(std::size_t layer) const;

    std::string_view bytes_;
    std::string_view config_;
    Weights weights_;
    BertConfig said_;
};

}  // namespace tenrex::onnx
