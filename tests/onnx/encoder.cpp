#include "tests/onnx/encoder.h"

#include <algorithm>
#include <cmath>

namespace tenrex::onnx {

namespace {

using Rows = std::vector<std::vector<double>>;

Rows product(const Rows &rows, std::size_t columns, const std::vector<float> &cells, const std::vector<float> &bias) {
    Rows result;
    for (const std::vector<double> &row : rows) {
        std::vector<double> &out = result.emplace_back(bias.begin(), bias.end());
        for (std::size_t i = 0; i < row.size(); ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                out[j] += row[i] * static_cast<double>(cells[i * columns + j]);
            }
        }
    }
    return result;
}

void add_and_normalize(Rows &rows, const Rows &more, const std::vector<float> &scale, const std::vector<float> &shift) {
    for (std::size_t t = 0; t < rows.size(); ++t) {
        double mean = 0;
        for (std::size_t i = 0; i < rows[t].size(); ++i) {
            rows[t][i] += more[t][i];
            mean += rows[t][i] / static_cast<double>(rows[t].size());
        }
        double variance = 0;
        for (const double cell : rows[t]) {
            variance += (cell - mean) * (cell - mean) / static_cast<double>(rows[t].size());
        }
        for (std::size_t i = 0; i < rows[t].size(); ++i) {
            rows[t][i] = (rows[t][i] - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(scale[i]) +
                         static_cast<double>(shift[i]);
        }
    }
}

Rows attention(const Rows &query, const Rows &key, const Rows &value, const std::vector<int> &mask) {
    const std::size_t size = Encoder::width / Encoder::heads;
    Rows result(query.size(), std::vector<double>(Encoder::width));
    for (std::size_t head = 0; head < Encoder::heads; ++head) {
        for (std::size_t t = 0; t < query.size(); ++t) {
            std::vector<double> weights(key.size());
            double total = 0;
            for (std::size_t s = 0; s < key.size(); ++s) {
                double score = 0;
                for (std::size_t i = head * size; i < (head + 1) * size; ++i) {
                    score += query[t][i] * key[s][i];
                }
                weights[s] = mask[s] != 0 ? std::exp(score / std::sqrt(static_cast<double>(size))) : 0;
                total += weights[s];
            }
            for (std::size_t s = 0; s < key.size(); ++s) {
                for (std::size_t i = head * size; i < (head + 1) * size; ++i) {
                    result[t][i] += weights[s] / total * value[s][i];
                }
            }
        }
    }
    return result;
}

}  // namespace

Encoder::Encoder() : word_rows_(matrix(words, width)), position_rows_(matrix(positions, width)) {
    for (std::size_t i = 0; i < layers; ++i) {
        Layer &layer = layers_.emplace_back();
        layer.query = matrix(width, width);
        layer.key = matrix(width, width);
        layer.value = matrix(width, width);
        layer.out = matrix(width, width);
        layer.up = matrix(width, inner);
        layer.down = matrix(inner, width);
        for (std::vector<float> *bias : {&layer.query_bias, &layer.key_bias, &layer.value_bias, &layer.out_bias,
                                         &layer.down_bias, &layer.shift[0], &layer.shift[1]}) {
            *bias = vector(width, 0);
        }
        layer.up_bias = vector(inner, 0);
        layer.scale[0] = vector(width, 1);
        layer.scale[1] = vector(width, 1);
    }
    kind_rows_ = matrix(2, width);
    first_scale_ = vector(width, 1);
    first_shift_ = vector(width, 0);
    pooler_ = matrix(width, width);
    pooler_bias_ = vector(width, 0);
    head_ = matrix(width, 2);
    head_bias_ = vector(2, 0);
}

float Encoder::next() {
    state_ = state_ * 1664525 + 1013904223;
    return static_cast<float>(state_ >> 16) / 65536 - 0.5F;
}

Encoder::Matrix Encoder::matrix(std::size_t rows, std::size_t columns) {
    Matrix result{rows, columns, std::vector<float>(rows * columns)};
    std::generate(result.cells.begin(), result.cells.end(), [this] { return 2 * next(); });
    return result;
}

std::vector<float> Encoder::vector(std::size_t size, float around) {
    std::vector<float> result(size);
    std::generate(result.begin(), result.end(), [&] { return around + next() / 2; });
    return result;
}

std::vector<std::vector<double>> Encoder::embedded(const std::vector<int> &tokens) const {
    Rows rows;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        std::vector<double> &row = rows.emplace_back(width);
        for (std::size_t i = 0; i < width; ++i) {
            row[i] = static_cast<double>(word_rows_.cells[static_cast<std::size_t>(tokens[t]) * width + i]) +
                     static_cast<double>(position_rows_.cells[t * width + i]);
        }
    }
    return rows;
}

std::vector<double> Encoder::hidden(const std::vector<int> &tokens, const std::vector<int> &mask) const {
    return after_layers(embedded(tokens), mask);
}

std::vector<double> Encoder::bert_hidden(const std::vector<int> &tokens, const std::vector<int> &mask,
                                         const std::vector<int> &kinds) const {
    Rows rows = embedded(tokens);
    Rows of_kinds;
    for (const int kind : kinds) {
        const auto begin = kind_rows_.cells.begin() + static_cast<std::ptrdiff_t>(kind) * width;
        of_kinds.emplace_back(begin, begin + width);
    }
    add_and_normalize(rows, of_kinds, first_scale_, first_shift_);
    return after_layers(std::move(rows), mask);
}

std::vector<double> Encoder::pooled(const std::vector<double> &hidden) const {
    std::vector<double> row =
        product({{hidden.begin(), hidden.begin() + width}}, width, pooler_.cells, pooler_bias_)[0];
    for (double &cell : row) {
        cell = std::tanh(cell);
    }
    return row;
}

std::vector<double> Encoder::classified(const std::vector<double> &rows) const {
    std::vector<double> result;
    for (auto begin = rows.begin(); begin != rows.end(); begin += width) {
        const std::vector<double> row = product({{begin, begin + width}}, 2, head_.cells, head_bias_)[0];
        result.insert(result.end(), row.begin(), row.end());
    }
    return result;
}

std::vector<double> Encoder::after_layers(std::vector<std::vector<double>> rows, const std::vector<int> &mask) const {
    for (const Layer &layer : layers_) {
        const Rows mixed = attention(product(rows, width, layer.query.cells, layer.query_bias),
                                     product(rows, width, layer.key.cells, layer.key_bias),
                                     product(rows, width, layer.value.cells, layer.value_bias), mask);
        add_and_normalize(rows, product(mixed, width, layer.out.cells, layer.out_bias), layer.scale[0], layer.shift[0]);
        Rows up = product(rows, inner, layer.up.cells, layer.up_bias);
        for (std::vector<double> &row : up) {
            for (double &cell : row) {
                cell *= 0.5 * (1 + std::erf(cell / std::sqrt(2.0)));
            }
        }
        add_and_normalize(rows, product(up, width, layer.down.cells, layer.down_bias), layer.scale[1], layer.shift[1]);
    }
    std::vector<double> result;
    for (const std::vector<double> &row : rows) {
        result.insert(result.end(), row.begin(), row.end());
    }
    return result;
}

std::vector<double> Encoder::embedding(const std::vector<int> &tokens, const std::vector<int> &mask) const {
    const std::vector<double> rows = hidden(tokens, mask);
    std::vector<double> result(width);
    double square = 0;
    for (std::size_t i = 0; i < width; ++i) {
        for (std::size_t t = 0; t < tokens.size(); ++t) {
            result[i] += mask[t] * rows[t * width + i];
        }
        square += result[i] * result[i];
    }
    for (double &cell : result) {
        cell /= std::sqrt(square);
    }
    return result;
}

}  // namespace tenrex::onnx
