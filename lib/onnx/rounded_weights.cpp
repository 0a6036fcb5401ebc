#include "lib/onnx/rounded_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "lib/onnx/tensor_data.h"

namespace tenrex::onnx {

namespace {

// Float cells, as the result has them.
struct Matrix {
    Matrix(const TensorView &weights, bool turned)
        : bytes(static_cast<const char *>(weights.cells())),
          rows(weights.type().dimensions()[turned ? 1 : 0].size),
          columns(weights.type().dimensions()[turned ? 0 : 1].size),
          row_step(turned ? 1 : columns),
          column_step(turned ? rows : 1) {}

    float at(std::size_t row, std::size_t column) const {
        float cell = 0;
        std::memcpy(&cell, bytes + (row * row_step + column * column_step) * sizeof(float), sizeof(float));
        return cell;
    }

    const char *bytes;
    std::size_t rows, columns;
    std::size_t row_step, column_step;
};

TensorBuilder builder(CellType cell_type, const std::vector<std::uint64_t> &sizes) {
    std::vector<Dimension> dimensions;
    dimensions.reserve(sizes.size());
    for (const std::uint64_t size : sizes) {
        dimensions.push_back({dimension_name(dimensions.size()), size});
    }
    return TensorBuilder(*TensorType::make(cell_type, std::move(dimensions)));
}

std::uint16_t nearest_half(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    if (std::isnan(number)) {
        return static_cast<std::uint16_t>(bits >> 16 | 0x40);
    }
    const std::uint32_t below_half = 0x7FFF + (bits >> 16 & 1);
    return static_cast<std::uint16_t>((bits + below_half) >> 16);
}

}  // namespace

Tensor in_bfloat16(const TensorView &weights, bool turned) {
    const Matrix matrix(weights, turned);
    TensorBuilder cells = builder(CellType::bf16, {matrix.rows, matrix.columns});
    auto *const out = static_cast<std::uint16_t *>(cells.cells(0));
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.columns; ++j) {
            out[i * matrix.columns + j] = nearest_half(matrix.at(i, j));
        }
    }
    return std::move(cells).build();
}

WholeWeights in_int8(const TensorView &weights, bool turned, std::size_t summed) {
    constexpr float most = 127;
    constexpr float least_magnitude = 1e-30F;
    const Matrix matrix(weights, turned);
    const std::size_t columns = summed == 0 ? matrix.columns : matrix.rows;
    const auto column_of = [&](std::size_t i, std::size_t j) { return summed == 0 ? j : i; };
    std::vector<float> magnitude(columns, least_magnitude);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.columns; ++j) {
            float &largest = magnitude[column_of(i, j)];
            largest = std::max(largest, std::fabs(matrix.at(i, j)));
        }
    }
    TensorBuilder cells = builder(CellType::i8, {matrix.rows, matrix.columns});
    auto *const out = static_cast<std::int8_t *>(cells.cells(0));
    std::vector<std::int64_t> sums(columns, 0);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.columns; ++j) {
            const float whole = std::nearbyint(matrix.at(i, j) * (most / magnitude[column_of(i, j)]));
            // A weight that is no number, or of an infinite column, is none here.
            const auto cell = static_cast<std::int8_t>(std::fabs(whole) <= most ? whole : 0);
            out[i * matrix.columns + j] = cell;
            sums[column_of(i, j)] += cell;
        }
    }
    TensorBuilder scale = builder(CellType::f32, {columns});
    TensorBuilder totals = builder(CellType::f32, {columns});
    for (std::size_t j = 0; j < columns; ++j) {
        const float one = magnitude[j] / most;
        scale.set(0, j, one);
        totals.set(0, j, static_cast<double>(sums[j]) * one);
    }
    return {std::move(cells).build(), std::move(scale).build(), std::move(totals).build()};
}

}  // namespace tenrex::onnx
