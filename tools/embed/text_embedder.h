// Texts to vectors: a tokenizer, an encoder, and one plan for texts of all lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/model_precision.h>
#include <tenrex/onnx.h>
#include <tenrex/plan.h>
#include <tenrex/response_cache.h>
#include <tenrex/result.h>
#include <tenrex/tokenizer.h>
#include <tenrex/weight_store.h>

#include "tools/embed/embedding_folder.h"

namespace tenrex::tool {

struct EmbedderOptions {
    ModelPrecision precision = ModelPrecision::f32;
    std::size_t dimensions = 0;  // the first cells that stay; 0: all
    std::string isa;
    std::shared_ptr<ResponseCache> cache;       // null: none
    std::shared_ptr<WeightStore> weights = {};  // that several embedders share; null: none
};

class TextEmbedder {
public:
    // What a thread needs.
    class Worker;

    // Errors: also an encoder whose inputs are not those of texts, or whose output is no vector for each token.
    static Result<TextEmbedder> make(const EmbeddingFolder &folder, const EmbedderOptions &embedder);
    // With another model than that of the folder, which has the name below; its precision is its own.
    static constexpr const char *model_name = "encoder";
    static Result<TextEmbedder> make(const EmbeddingFolder &folder, const EmbedderOptions &embedder,
                                     const OnnxModel &model);

    // Null: none.
    const ResponseCache *cache() const noexcept { return cache_.get(); }
    // Cells of a vector.
    std::size_t size() const noexcept { return size_; }
    // The vectors of texts, one after the other. The vector of a text does not depend on the others.
    Status embed(std::span<const std::string> texts, Worker &worker, std::vector<float> &vectors) const;

private:
    TextEmbedder(Tokenizer tokenizer, Plan plan, Query query)
        : tokenizer_(std::move(tokenizer)), plan_(std::move(plan)), query_(std::move(query)) {}

    // The vectors of the texts whose tokens the worker has.
    Status evaluate(Worker &worker, std::vector<float> &vectors) const;

    Tokenizer tokenizer_;
    Plan plan_;
    Query query_;
    std::size_t size_ = 0;
    std::string prefix_;
    std::optional<std::size_t> max_length_;
    std::shared_ptr<ResponseCache> cache_;
    std::string model_;  // for the keys of the cache
};

class TextEmbedder::Worker {
public:
    explicit Worker(const TextEmbedder &embedder) : Worker(embedder, embedder.prefix_) {}
    // prefix: what stands in front of each text.
    Worker(const TextEmbedder &embedder, std::string prefix) : context_(embedder.plan_), prefix_(std::move(prefix)) {}
    // Whose texts are the work of all threads of an executor.
    Worker(const TextEmbedder &embedder, Executor &executor)
        : context_(embedder.plan_, executor), prefix_(embedder.prefix_) {}
    // Texts that had more tokens than the model takes.
    std::size_t cut_texts() const noexcept { return cut_texts_; }

private:
    friend class TextEmbedder;
    void clear();
    // Those of the text at that place.
    void add_tokens(std::size_t place, std::string key);

    Context context_;
    std::string prefix_;
    TokenizerScratch scratch_;
    Tokens tokens_;
    std::vector<std::uint64_t> offsets_;
    std::vector<double> ids_;
    std::vector<double> types_;
    std::vector<double> ones_;
    std::vector<std::size_t> places_;  // of the texts that have tokens
    std::vector<std::string> keys_;    // theirs in the cache
    std::vector<float> found_;
    std::string text_;
    std::size_t cut_texts_ = 0;
};

}  // namespace tenrex::tool
