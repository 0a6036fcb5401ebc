// Encoders of two layers with small weights: as two exporters write them, and computed by loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tenrex::onnx {

struct Encoder {
    static constexpr std::size_t words = 11, positions = 40, width = 8, heads = 2, inner = 12, layers = 2;

    Encoder();
    // decomposed: normalizations, gelu and masks out of arithmetic, shapes out of shapes, as of older exporters. Else
    // single operators, a mask of booleans, and zeros for what a reshape copies.
    std::string model(bool decomposed) const;
    // A vector for each token, of those that the mask keeps in mind.
    std::vector<double> hidden(const std::vector<int> &tokens, const std::vector<int> &mask) const;
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

    float next();
    Matrix matrix(std::size_t rows, std::size_t columns);
    std::vector<float> vector(std::size_t size, float around);

    std::uint32_t state_ = 12345;
    Matrix word_rows_, position_rows_;
    std::vector<Layer> layers_;
};

}  // namespace tenrex::onnx
