// Texts to values of a type: vectors by an encoder, or the ids of tokens by a tokenizer.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>
#include <tenrex/tensor_type.h>
#include <tenrex/tokenizer.h>

#include "tools/embed/embedder_settings.h"
#include "tools/embed/text_embedder.h"

namespace tenrex::tool {

// Which prefix stands in front of a text.
enum class TextRole : std::uint8_t { query, document };

// Threads may share it. Of an encoder, cells of floats are those of the vector; int8 cells are whole numbers in its
// direction, or, where there is an eighth of them, bits. Of a tokenizer they are the ids without special tokens, in a
// dimension that is open, or padded with zeros.
class TextEncoder {
public:
    // What a thread needs.
    class Worker;

    // A folder with an encoder, or the file of a tokenizer. cache: null for none.
    static Result<TextEncoder> load(const std::string &path, const EmbedderSettings &settings,
                                    const std::shared_ptr<ResponseCache> &cache);

    // Error: it makes no values of that type.
    Status check(const TensorType &type) const;
    // The cells of each text, of a type that is checked.
    Status encode(std::span<const std::string> texts, const TensorType &type, Worker &worker,
                  std::vector<std::string> &cells) const;

private:
    TextEncoder() = default;

    Status tokenize(std::span<const std::string> texts, const TensorType &type, Worker &worker,
                    std::vector<std::string> &cells) const;

    std::optional<TextEmbedder> embedder_;
    std::optional<Tokenizer> tokenizer_;
    std::optional<std::size_t> max_length_;  // of the tokenizer
    std::string prefixes_[2];                // by role
};

class TextEncoder::Worker {
public:
    Worker(const TextEncoder &encoder, TextRole role);
    // Texts that had more tokens than are taken.
    std::size_t cut_texts() const noexcept { return cut_texts_ + (embedding_ ? embedding_->cut_texts() : 0); }

private:
    friend class TextEncoder;
    std::optional<TextEmbedder::Worker> embedding_;
    std::vector<float> vectors_;
    std::string prefix_;
    std::string text_;
    TokenizerScratch scratch_;
    Tokens tokens_;
    std::size_t cut_texts_ = 0;
};

}  // namespace tenrex::tool
