#include "tools/embed/text_encoder.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <tenrex/cell_type.h>

#include "tools/embed/vector_writer.h"

namespace tenrex::tool {

namespace {

bool is_tokenizer(std::string_view path) {
    return path.ends_with(".json") || path.ends_with(".txt");
}

// One number as a cell.
template <class From>
void append_cell(From number, CellType type, std::string &cells) {
    visit_cell_type(type, [&]<class T>(T cell) {
        if constexpr (std::is_same_v<T, BFloat16>) {
            cell = BFloat16(static_cast<float>(number));
        } else {
            cell = static_cast<T>(number);
        }
        cells.append(reinterpret_cast<const char *>(&cell), sizeof(T));
    });
}

}  // namespace

TextEncoder::Worker::Worker(const TextEncoder &encoder, TextRole role)
    : prefix_(encoder.prefixes_[static_cast<std::size_t>(role)]) {
    if (encoder.embedder_) {
        embedding_.emplace(*encoder.embedder_, prefix_);
    }
}

Result<TextEncoder> TextEncoder::load(const std::string &path, const EmbedderSettings &settings,
                                      const std::shared_ptr<ResponseCache> &cache) {
    TextEncoder result;
    if (is_tokenizer(path)) {
        auto tokenizer = Tokenizer::load(path);
        if (!tokenizer) {
            return tokenizer.error();
        }
        result.tokenizer_ = *std::move(tokenizer);
        result.max_length_ = settings.max_length != 0 ? std::optional(settings.max_length) : std::nullopt;
        const std::string prefix = settings.prefix.value_or("");
        result.prefixes_[0] = settings.query_prefix.value_or(prefix);
        result.prefixes_[1] = settings.document_prefix.value_or(prefix);
        return result;
    }
    auto folder = read_embedding_folder(path);
    const Status applied = folder ? apply(settings, *folder) : Status(folder.error());
    if (!applied) {
        return applied.error();
    }
    EmbedderOptions options = options_of(settings);
    options.cache = cache;
    auto embedder = TextEmbedder::make(*folder, options);
    if (!embedder) {
        return embedder.error();
    }
    result.embedder_ = *std::move(embedder);
    result.prefixes_[0] = folder->query_prefix.value_or(folder->prefix);
    result.prefixes_[1] = folder->document_prefix.value_or(folder->prefix);
    return result;
}

Status TextEncoder::check(const TensorType &type) const {
    if (type.dimensions().size() != 1 || type.has_mapped()) {
        return Error(fmt::format("a text becomes a row of numbers, but the type is {}", type.to_string()),
                     "a type with one indexed dimension, such as tensor<float>(x[384])");
    }
    const bool is_whole = type.cell_type() == CellType::i8;
    if (tokenizer_) {
        return is_whole || type.cell_type() == CellType::bf16
                   ? Status(Error(fmt::format("{} cannot hold the ids of tokens", type.to_string()),
                                  "cells are float or double"))
                   : Status();
    }
    const std::uint64_t size = type.has_open() ? 0 : type.dimensions().front().size;
    const std::uint64_t width = embedder_->size();
    if (size == width || (is_whole && size == (width + 7) / 8)) {
        return {};
    }
    return Error(fmt::format("it makes vectors of {} numbers, but the type is {}", width, type.to_string()),
                 is_whole       ? fmt::format("int8 cells are {}, or {} with a bit for each", width, (width + 7) / 8)
                 : size < width ? "of a model that was trained for it, the setting dimensions takes the first numbers"
                                : "");
}

Status TextEncoder::encode(std::span<const std::string> texts, const TensorType &type, Worker &worker,
                           std::vector<std::string> &cells) const {
    cells.assign(texts.size(), {});
    if (tokenizer_) {
        return tokenize(texts, type, worker, cells);
    }
    if (Status status = embedder_->embed(texts, *worker.embedding_, worker.vectors_); !status) {
        return status;
    }
    const std::size_t width = embedder_->size();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto vector = std::span(worker.vectors_).subspan(i * width, width);
        if (type.cell_type() == CellType::i8) {
            const bool has_all = type.dimensions().front().size == width;
            append_whole_numbers(vector, has_all ? VectorCells::int8 : VectorCells::bits, cells[i]);
            continue;
        }
        for (const float number : vector) {
            append_cell(number, type.cell_type(), cells[i]);
        }
    }
    return {};
}

Status TextEncoder::tokenize(std::span<const std::string> texts, const TensorType &type, Worker &worker,
                             std::vector<std::string> &cells) const {
    TokenizeOptions options;
    options.adds_special_tokens = false;
    options.is_plain_text = true;
    options.max_length = max_length_;
    const std::size_t size = type.has_open() ? 0 : static_cast<std::size_t>(type.dimensions().front().size);
    if (!type.has_open()) {
        options.max_length = std::min(size, max_length_.value_or(size));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        worker.text_.assign(worker.prefix_).append(texts[i]);
        Tokens &tokens = worker.tokens_;
        if (Status status = tokenizer_->tokenize(worker.text_, std::nullopt, options, worker.scratch_, tokens);
            !status) {
            return status;
        }
        worker.cut_texts_ += tokens.is_truncated ? 1 : 0;
        tokens.ids.resize(std::max(tokens.ids.size(), size));  // of zeros
        for (const std::uint32_t id : tokens.ids) {
            append_cell(id, type.cell_type(), cells[i]);
        }
    }
    return {};
}

}  // namespace tenrex::tool
