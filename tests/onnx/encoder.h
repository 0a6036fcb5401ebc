// Encoders of two layers with small weights: as several exporters write them, and computed by loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenrex::onnx {

// How it is written: everything out of arithmetic, and shapes out of shapes; single operators, a mask of booleans, and
// zeros for what a reshape copies; as a runtime stores it that has put operators together; arithmetic in another order,
// and a mask of numbers for all pairs of tokens; attention as one operator, of rows that have the heads side by side.
enum class Exporter : std::uint8_t { decomposed, single_operators, runtime, pairs, attention };

struct Encoder {
    static constexpr std::size_t words = 11, positions = 40, width = 8, heads = 2, inner = 12, layers = 2;

    Encoder();
    std::string model(Exporter exporter) const;
    // A vector for each token, of those that the mask keeps in mind.
    std::vector<double> hidden(const std::vector<int> &tokens, const std::vector<int> &mask) const;
    // The same of an encoder of the architecture BERT with these weights and more: kinds of tokens, and rows that are
    // normalized before the first layer.
    std::vector<double> bert_hidden(const std::vector<int> &tokens, const std::vector<int> &mask,
                                    const std::vector<int> &kinds) const;
    // What its pooler makes of the first token.
    std::vector<double> pooled(const std::vector<double> &hidden) const;
    // Two columns for each row: classes, or begins and ends of answers.
    std::vector<double> classified(const std::vector<double> &rows) const;
    // Its weights as a file; the head has this name.
    std::string safetensors(std::string_view prefix = {}, std::string_view head = "classifier") const;
    static std::string config(std::string_view architecture = "BertModel", std::string_view more = {});
    // Their mean, of length 1.
    std::vector<double> embedding(const std::vector<int> &tokens, const std::vector<int> &mask) const;

private:
    struct Matrix {
        std::size_t rows = 0, columns = 0;
        std::vector<float> cells;
    };
    struct Layer {
        Matrix query, key, value, out, up, down;
        std::vector<float> query_bias, key_bias, value_bias, out_bias, up_bias, down_bias, scale[2], shift[2];
    };

    class Writer;
    static std::string fused_layer(Writer &writer, const Layer &layer, const std::string &hidden);
    static std::string mean_of(Writer &writer, const std::string &hidden);

    std::vector<double> after_layers(std::vector<std::vector<double>> rows, const std::vector<int> &mask) const;
    std::vector<std::vector<double>> embedded(const std::vector<int> &tokens) const;

    float next();
    Matrix matrix(std::size_t rows, std::size_t columns);
    std::vector<float> vector(std::size_t size, float around);

    std::uint32_t state_ = 12345;
    Matrix word_rows_, position_rows_;
    std::vector<Layer> layers_;
    Matrix kind_rows_, pooler_, head_;
    std::vector<float> first_scale_, first_shift_, pooler_bias_, head_bias_;
};

}  // namespace tenrex::onnx
