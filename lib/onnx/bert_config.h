// What the file config.json beside weights of the architecture BERT says of their sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenrex/result.h>

#include "lib/onnx/pruned_heads.h"

namespace tenrex::onnx {

struct BertConfig {
    std::string architecture;
    std::string activation;
    std::int64_t layers = 0;
    std::int64_t heads = 0;  // of a layer that has lost none
    std::int64_t width = 0;
    double epsilon = 0;
    PrunedHeads pruned;

    std::int64_t cells() const noexcept { return width / heads; }  // of a head
    std::int64_t heads_of(std::int64_t layer) const noexcept {
        return heads - static_cast<std::int64_t>(pruned[static_cast<std::size_t>(layer)].size());
    }
};

// Errors: another model; a function or kind of positions that is not known; numbers that do not fit each other.
Result<BertConfig> read_bert_config(std::string_view config);

}  // namespace tenrex::onnx
