// The vectors of texts as a model gives them that is compared with another one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tenrex/attention_heads.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>
#include <tenrex/weight_store.h>

#include "tools/embed/embedding_folder.h"
#include "tools/embed/text_embedder.h"

namespace tenrex::tool {

// The texts of lines {"text":"..."}. Errors: a line that is wrong, with its number; no text at all.
Result<std::vector<std::string>> read_texts(const std::string &path);

// Models that differ in some of their weights share the others.
class TextVectors {
public:
    TextVectors(EmbeddingFolder folder, std::vector<std::string> texts, std::size_t threads);

    Result<TextEmbedder> embedder(const AttentionHeads::Files &files) const;
    Result<std::vector<Tensor>> of(const TextEmbedder &embedder) const;
    Result<std::vector<Tensor>> of(const AttentionHeads::Files &files) const;
    // Of a text alone in one thread, of two models in turns: the least of several.
    struct Times {
        double first = 0;
        double second = 0;
    };
    Result<Times> milliseconds(const TextEmbedder &first, const TextEmbedder &second) const;
    std::size_t size() const noexcept { return texts_.size(); }

private:
    Result<double> seconds(const TextEmbedder &embedder) const;

    EmbeddingFolder folder_;
    std::vector<std::string> texts_;
    std::size_t threads_;
    std::shared_ptr<WeightStore> weights_ = std::make_shared<WeightStore>();
};

}  // namespace tenrex::tool
