// Removes the attention heads of an encoder that matter least on given texts: tenrex model --prune-heads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <tenrex/attention_heads.h>
#include <tenrex/result.h>

namespace tenrex::tool {

// How many heads are removed: a share of all, or a number.
struct HeadAmount {
    double share = 0;
    std::size_t count = 0;  // if the share is 0
};
// "10%" or "7". Nothing: it is neither, or no head, or all of them.
std::optional<HeadAmount> head_amount(const std::string &text);

struct HeadPruning {
    std::string model;
    HeadAmount amount;
    std::string texts;
    std::string tokenizer;  // empty: that of the model's folder
    std::string output;
    std::size_t threads = 1;
};

struct PrunedEncoder {
    AttentionHeads::Files files;
    std::string report;  // what was removed, and what that costs and saves
};

// Errors: also an output that the files of the model would be written over by.
Result<PrunedEncoder> prune_heads(const HeadPruning &pruning);
// Where config.json goes that belongs to weights without a graph in that file.
std::string config_beside(const std::string &model);

}  // namespace tenrex::tool
