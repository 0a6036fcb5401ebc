// A folder with an encoder, its tokenizer, and files that say how vectors of texts are made of those of tokens, as the
// library sentence-transformers lays it out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/result.h>

#include "tools/embed/dense_layer.h"

namespace tenrex::tool {

enum class Pooling { mean, first, max };

struct EmbeddingFolder {
    std::string model;      // model.onnx, onnx/model.onnx, model.safetensors or model.packed
    std::string tokenizer;  // tokenizer.json or vocab.txt
    Pooling pooling = Pooling::mean;
    std::vector<DenseLayer> layers;  // over the vector of the text
    bool normalizes = false;
    bool lower_case = true;                      // of a vocab.txt
    std::string prefix;                          // what stands in front of each text
    std::optional<std::string> query_prefix;     // of a query; nothing: the prefix
    std::optional<std::string> document_prefix;  // of a document; nothing: the prefix
    std::optional<std::size_t> max_length;       // of tokens, with the prefix and those that are put around a text
    std::optional<std::size_t> positions;        // more tokens the model cannot tell apart
    std::optional<std::size_t> vocabulary;       // tokens that the model knows
};

// Errors: a file that is missing or cannot be read; a module, or a way to pool, that is not known.
Result<EmbeddingFolder> read_embedding_folder(const std::string &path);
// The folder that a model stands in, or stands in the folder onnx of, with this model. tokenizer: its file; empty: as
// the folder has it.
Result<EmbeddingFolder> embedding_folder_of(const std::string &model, const std::string &tokenizer);

}  // namespace tenrex::tool
