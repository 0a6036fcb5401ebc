// Inputs of queries that are made of texts: "embed(e5, @text)", "embed(@text)", "embed(\"a text\")".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <tenrex/result.h>
#include <tenrex/tensor.h>

#include "tools/embed/embedder_set.h"

namespace tenrex::tool {

struct EmbedCall {
    std::string embedder;  // empty: the only one
    std::string text;      // or the name of the member of the query that has it
    bool is_member = false;
};

bool is_embed_call(std::string_view value) noexcept;
// Of a value that is one. Error: how it is written.
Result<EmbedCall> parse_embed_call(std::string_view value);

// Makes values of inputs, one after the other.
class QueryEmbedder {
public:
    explicit QueryEmbedder(EmbedderSet &embedders) : embedders_(embedders) {}

    Result<Tensor> embed(const std::string &embedder, const std::string &text, const TensorType &type);
    // How many texts there were, and how long they took, loading apart.
    std::size_t texts() const noexcept { return texts_; }
    double seconds() const noexcept { return seconds_; }

private:
    EmbedderSet &embedders_;
    std::map<const TextEncoder *, TextEncoder::Worker> workers_;
    std::size_t texts_ = 0;
    double seconds_ = 0;
};

}  // namespace tenrex::tool
