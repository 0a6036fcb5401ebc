#include "lib/onnx/rounded_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "lib/onnx/tensor_data.h"

namespace tenrex::onnx {

namespace {

// Float cells as they stand in the file, row after row; turned: their rows are the columns of the result.
struct Matrix {
    Matrix(const TensorView &weights, bool is_turned)
        : bytes(static_cast<const char *>(weights.cells())),
          rows(weights.type().dimensions()[0].size),
          width(weights.type().dimensions()[1].size),
          turned(is_turned) {}

    // The cells of a row, which may stand anywhere.
    void read(std::size_t row, std::vector<float> &to) const {
        to.resize(width);
        std::memcpy(to.data(), bytes + row * width * sizeof(float), width * sizeof(float));
    }
    std::uint64_t result_rows() const noexcept { return turned ? width : rows; }
    std::uint64_t result_columns() const noexcept { return turned ? rows : width; }

    const char *bytes;
    std::size_t rows, width;
    bool turned;
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

// Cells of the result, of which round(row, cells, to) makes those of a row. Rows that become columns are turned some at
// a time, so that what is written stands side by side.
template <class T, class Round>
void store_rounded(const Matrix &matrix, T *out, const Round &round) {
    constexpr std::size_t most_turned = 32;
    const std::size_t together = matrix.turned ? most_turned : 1;
    std::vector<float> cells;
    std::vector<T> rounded(matrix.turned ? together * matrix.width : 0);
    for (std::size_t first = 0; first < matrix.rows; first += together) {
        const std::size_t count = std::min(together, matrix.rows - first);
        for (std::size_t i = 0; i < count; ++i) {
            matrix.read(first + i, cells);
            round(first + i, cells,
                  matrix.turned ? rounded.data() + i * matrix.width : out + (first + i) * matrix.width);
        }
        for (std::size_t j = 0; matrix.turned && j < matrix.width; ++j) {
            for (std::size_t i = 0; i < count; ++i) {
                out[j * matrix.rows + first + i] = rounded[i * matrix.width + j];
            }
        }
    }
}

// The largest magnitude of all cells that are numbers.
float largest_of(const std::vector<float> &cells, float least) {
    constexpr std::size_t lanes = 16;
    float largest[lanes];
    std::fill(std::begin(largest), std::end(largest), least);
    std::size_t i = 0;
    for (; i + lanes <= cells.size(); i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const float one = std::fabs(cells[i + lane]);
            largest[lane] = largest[lane] < one ? one : largest[lane];
        }
    }
    for (; i < cells.size(); ++i) {
        largest[0] = std::max(largest[0], std::fabs(cells[i]));
    }
    return *std::max_element(std::begin(largest), std::end(largest));
}

constexpr float largest_int8 = 127;

// A weight that is no number, or of an infinite column, is none here. Adding and taking away a large number rounds to
// the nearest whole one, of two to the even one.
std::int8_t nearest_whole(float weight, float factor) {
    constexpr float ones = 12582912;  // numbers of this size have no fractions
    const float whole = (weight * factor + ones) - ones;
    return static_cast<std::int8_t>(std::fabs(whole) <= largest_int8 ? whole : 0.0F);
}

}  // namespace

Tensor in_bfloat16(const TensorView &weights, bool turned) {
    const Matrix matrix(weights, turned);
    TensorBuilder cells = builder(CellType::bf16, {matrix.result_rows(), matrix.result_columns()});
    store_rounded(matrix, static_cast<std::uint16_t *>(cells.cells(0)),
                  [](std::size_t, const std::vector<float> &row, std::uint16_t *to) {
                      std::transform(row.begin(), row.end(), to, [](float cell) { return nearest_half(cell); });
                  });
    return std::move(cells).build();
}

WholeWeights in_int8(const TensorView &weights, bool turned, std::size_t summed) {
    constexpr float least_magnitude = 1e-30F;
    const Matrix matrix(weights, turned);
    // Whether each row, as it stands there, has a scale, or each of its cells.
    const bool by_row = (summed == 0) == turned;
    std::vector<float> magnitude(by_row ? matrix.rows : matrix.width, least_magnitude);
    std::vector<float> row;
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        matrix.read(i, row);
        if (by_row) {
            magnitude[i] = largest_of(row, least_magnitude);
            continue;
        }
        for (std::size_t j = 0; j < row.size(); ++j) {
            magnitude[j] = std::max(magnitude[j], std::fabs(row[j]));
        }
    }
    const std::size_t columns = magnitude.size();
    std::vector<float> factor(columns);
    std::transform(magnitude.begin(), magnitude.end(), factor.begin(),
                   [](float largest) { return largest_int8 / largest; });
    TensorBuilder cells = builder(CellType::i8, {matrix.result_rows(), matrix.result_columns()});
    std::vector<std::int64_t> sums(columns, 0);
    store_rounded(matrix, static_cast<std::int8_t *>(cells.cells(0)),
                  [&](std::size_t i, const std::vector<float> &from, std::int8_t *to) {
                      if (by_row) {
                          for (std::size_t j = 0; j < from.size(); ++j) {
                              to[j] = nearest_whole(from[j], factor[i]);
                          }
                          sums[i] = std::accumulate(to, to + from.size(), std::int64_t{0});
                          return;
                      }
                      for (std::size_t j = 0; j < from.size(); ++j) {
                          to[j] = nearest_whole(from[j], factor[j]);
                      }
                      for (std::size_t j = 0; j < from.size(); ++j) {
                          sums[j] += to[j];
                      }
                  });
    TensorBuilder scale = builder(CellType::f32, {columns});
    TensorBuilder totals = builder(CellType::f32, {columns});
    for (std::size_t j = 0; j < columns; ++j) {
        const float one = magnitude[j] / largest_int8;
        scale.set(0, j, one);
        totals.set(0, j, static_cast<double>(sums[j]) * one);
    }
    return {std::move(cells).build(), std::move(scale).build(), std::move(totals).build()};
}

}  // namespace tenrex::onnx
