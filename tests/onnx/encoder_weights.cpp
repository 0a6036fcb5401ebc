// The weights of an encoder as a file without a graph.
#include <fmt/format.h>

#include "tests/onnx/encoder.h"

namespace tenrex::onnx {

namespace {

class WeightsWriter {
public:
    explicit WeightsWriter(std::string_view prefix) : prefix_(prefix) {}

    void rows(std::string_view name, std::size_t count, const std::vector<float> &cells) {
        add(name, fmt::format("{},{}", count, cells.size() / count), cells);
    }
    // A product has a row for each column of its result.
    void turned(std::string_view name, std::size_t columns, const std::vector<float> &cells) {
        std::vector<float> result(cells.size());
        const std::size_t rows_before = cells.size() / columns;
        for (std::size_t i = 0; i < rows_before; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                result[j * rows_before + i] = cells[i * columns + j];
            }
        }
        rows(name, columns, result);
    }
    void vector(std::string_view name, const std::vector<float> &cells) {
        add(name, fmt::format("{}", cells.size()), cells);
    }

    // A head stands beside the encoder.
    void leave_prefix() { prefix_ = {}; }

    std::string file() const {
        const std::string header = fmt::format(R"({{"__metadata__":{{"format":"pt"}}{}}})", header_);
        std::string length;
        for (int shift = 0; shift < 64; shift += 8) {
            length += static_cast<char>(header.size() >> shift & 0xff);
        }
        return length + header + data_;
    }

private:
    void add(std::string_view name, const std::string &shape, const std::vector<float> &cells) {
        const std::size_t begin = data_.size();
        data_.append(reinterpret_cast<const char *>(cells.data()), cells.size() * sizeof(float));
        header_ += fmt::format(R"(,"{}{}":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}})", prefix_, name, shape,
                               begin, data_.size());
    }

    std::string_view prefix_;
    std::string header_;
    std::string data_;
};

}  // namespace

std::string Encoder::safetensors(std::string_view prefix, std::string_view head) const {
    WeightsWriter writer(prefix);
    const auto dense = [&](const std::string &name, const Matrix &matrix, const std::vector<float> &bias) {
        writer.turned(name + ".weight", matrix.columns, matrix.cells);
        writer.vector(name + ".bias", bias);
    };
    const auto normalization = [&](const std::string &name, const std::vector<float> &scale,
                                   const std::vector<float> &shift) {
        writer.vector(name + ".LayerNorm.weight", scale);
        writer.vector(name + ".LayerNorm.bias", shift);
    };
    writer.rows("embeddings.word_embeddings.weight", words, word_rows_.cells);
    writer.rows("embeddings.position_embeddings.weight", positions, position_rows_.cells);
    writer.rows("embeddings.token_type_embeddings.weight", 2, kind_rows_.cells);
    normalization("embeddings", first_scale_, first_shift_);
    for (std::size_t i = 0; i < layers; ++i) {
        const Layer &layer = layers_[i];
        const std::string name = fmt::format("encoder.layer.{}.", i);
        dense(name + "attention.self.query", layer.query, layer.query_bias);
        dense(name + "attention.self.key", layer.key, layer.key_bias);
        dense(name + "attention.self.value", layer.value, layer.value_bias);
        dense(name + "attention.output.dense", layer.out, layer.out_bias);
        normalization(name + "attention.output", layer.scale[0], layer.shift[0]);
        dense(name + "intermediate.dense", layer.up, layer.up_bias);
        dense(name + "output.dense", layer.down, layer.down_bias);
        normalization(name + "output", layer.scale[1], layer.shift[1]);
    }
    dense("pooler.dense", pooler_, pooler_bias_);
    writer.leave_prefix();
    dense(std::string(head), head_, head_bias_);
    return writer.file();
}

std::string Encoder::config(std::string_view architecture, std::string_view more) {
    return fmt::format(
        R"({{"architectures":["{}"],"model_type":"bert","hidden_size":{},"num_attention_heads":{},"num_hidden_layers":{},)"
        R"("layer_norm_eps":1e-5{}}})",
        architecture, width, heads, layers, more);
}

}  // namespace tenrex::onnx
