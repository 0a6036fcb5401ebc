#include "tools/model/text_vectors.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <tenrex/onnx.h>

#include "tools/rank/parallel.h"
#include "tools/text/text_lines.h"

namespace tenrex::tool {

Result<std::vector<std::string>> read_texts(const std::string &path) {
    const auto file = File::open(path);
    if (!file) {
        return file.error();
    }
    TextLines lines(*file, PairUse::ignored);
    std::vector<std::string> texts;
    while (true) {
        auto line = lines.next();
        if (!line) {
            return std::move(line).error();
        }
        if (!*line) {
            break;
        }
        texts.push_back(std::move((*line)->text));
    }
    if (texts.empty()) {
        Error error("there are no texts in the file", R"(write a line {"text":"..."} for each)");
        error.set_source_name(path);
        return error;
    }
    return texts;
}

TextVectors::TextVectors(EmbeddingFolder folder, std::vector<std::string> texts, std::size_t threads)
    : folder_(std::move(folder)), texts_(std::move(texts)), threads_(threads) {}

Result<TextEmbedder> TextVectors::embedder(const AttentionHeads::Files &files) const {
    OnnxOptions options;
    options.name = TextEmbedder::model_name;
    options.beside = [&](std::string_view location) {
        return location == "config.json"
                   ? Result<std::string>(files.config)
                   : Result<std::string>(Error(fmt::format("there is no file '{}' beside the model", location)));
    };
    const auto model = OnnxModel::read(files.model, options);
    EmbedderOptions how;
    how.weights = weights_;
    return model ? TextEmbedder::make(folder_, how, *model) : Result<TextEmbedder>(model.error());
}

Result<std::vector<Tensor>> TextVectors::of(const TextEmbedder &embedder) const {
    constexpr std::size_t texts_of_part = 16;
    const std::size_t parts = (texts_.size() + texts_of_part - 1) / texts_of_part;
    std::vector<TextEmbedder::Worker> workers;
    for (std::size_t i = 0; i < std::min(threads_, parts); ++i) {
        workers.emplace_back(embedder);
    }
    std::vector<std::vector<float>> vectors(parts);
    std::vector<Status> problems(parts);
    run_parallel(workers.size(), parts, [&](std::size_t thread, std::size_t part) {
        const auto texts = std::span(texts_).subspan(part * texts_of_part);
        problems[part] =
            embedder.embed(texts.first(std::min(texts_of_part, texts.size())), workers[thread], vectors[part]);
    });
    std::vector<Tensor> result;
    const auto type = TensorType::make(CellType::f32, {{"x", embedder.size()}});
    for (std::size_t part = 0; part < parts; ++part) {
        if (!problems[part]) {
            return problems[part].error();
        }
        for (std::size_t begin = 0; begin < vectors[part].size(); begin += embedder.size()) {
            TensorBuilder builder(*type);
            for (std::size_t i = 0; i < embedder.size(); ++i) {
                builder.set(0, i, static_cast<double>(vectors[part][begin + i]));
            }
            result.push_back(std::move(builder).build());
        }
    }
    return result;
}

Result<std::vector<Tensor>> TextVectors::of(const AttentionHeads::Files &files) const {
    const auto made = embedder(files);
    return made ? of(*made) : Result<std::vector<Tensor>>(made.error());
}

Result<double> TextVectors::seconds(const TextEmbedder &embedder) const {
    TextEmbedder::Worker worker(embedder);
    std::vector<float> vector;
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string &text : texts_) {
        if (Status status = embedder.embed(std::span(&text, 1), worker, vector); !status) {
            return status.error();
        }
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Result<TextVectors::Times> TextVectors::milliseconds(const TextEmbedder &first, const TextEmbedder &second) const {
    constexpr int turns = 3;
    const double factor = 1e3 / static_cast<double>(texts_.size());
    Times times{1e9, 1e9};
    for (int turn = 0; turn < turns; ++turn) {
        const auto one = seconds(first);
        const auto other = one ? seconds(second) : one;
        if (!other) {
            return other.error();
        }
        times.first = std::min(times.first, *one * factor);
        times.second = std::min(times.second, *other * factor);
    }
    return times;
}

}  // namespace tenrex::tool
