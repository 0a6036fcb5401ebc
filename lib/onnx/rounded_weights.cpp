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
#include "lib/storage/derived_tensor.h"
#include "lib/storage/mapped_tensor.h"

namespace tenrex::onnx {

namespace {

// Float cells as they stand in the file, row after row; turned: their rows are the columns of the result.
class Matrix {
public:
    Matrix(const Tensor &weights, bool is_turned)
        : rows(weights.type().dimensions()[0].size),
          width(weights.type().dimensions()[1].size),
          turned(is_turned),
          weights_(weights),
          borrowed_(weights) {}
    Matrix(const Matrix &) = delete;
    Matrix &operator=(const Matrix &) = delete;
    ~Matrix() { MappedTensor::let_go(weights_); }

    // The cells of a row, which may stand anywhere.
    void read(std::size_t row, std::vector<float> &to) const {
        to.resize(width);
        std::memcpy(to.data(), borrowed_.data() + row * width * sizeof(float), width * sizeof(float));
    }

    const std::size_t rows, width;
    const bool turned;

private:
    Tensor weights_;
    BorrowedCells borrowed_;
};

TensorType type_of_cells(CellType cell_type, const std::vector<std::uint64_t> &sizes) {
    std::vector<Dimension> dimensions;
    dimensions.reserve(sizes.size());
    for (const std::uint64_t size : sizes) {
        dimensions.push_back({dimension_name(dimensions.size()), size});
    }
    return *TensorType::make(cell_type, std::move(dimensions));
}

// Of a matrix of the weights' sizes.
TensorType type_of_rounded(CellType cell_type, const Tensor &weights, bool turned) {
    const auto &dimensions = weights.type().dimensions();
    return type_of_cells(cell_type, {dimensions[turned ? 1 : 0].size, dimensions[turned ? 0 : 1].size});
}

// Makes cells by round(matrix, cells).
template <class T, class Round>
DerivedCells::Make making(const Tensor &weights, bool turned, Round round) {
    return [weights, turned, round = std::move(round)](std::byte *to) {
        round(Matrix(weights, turned), reinterpret_cast<T *>(to));
    };
}

// What was made can be made again if the weights stay where they are.
Tensor again(Tensor made, const Tensor &weights, DerivedCells::Make make) {
    const bool stay = MappedTensor::is_one(weights) || DerivedTensor::cells_of(weights) != nullptr;
    return stay ? DerivedTensor::make(std::move(made), std::move(make)) : made;
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

// sums: of each column, if they are wanted.
void round_whole(const Matrix &matrix, const std::vector<float> &factor, bool by_row, std::int8_t *cells,
                 std::vector<std::int64_t> *sums) {
    store_rounded(matrix, cells, [&](std::size_t i, const std::vector<float> &from, std::int8_t *to) {
        for (std::size_t j = 0; j < from.size(); ++j) {
            to[j] = nearest_whole(from[j], factor[by_row ? i : j]);
        }
        if (sums == nullptr) {
            return;
        }
        if (by_row) {
            (*sums)[i] = std::accumulate(to, to + from.size(), std::int64_t{0});
            return;
        }
        for (std::size_t j = 0; j < from.size(); ++j) {
            (*sums)[j] += to[j];
        }
    });
}

std::vector<float> largest_magnitudes(const Matrix &matrix, bool by_row) {
    constexpr float least_magnitude = 1e-30F;
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
    return magnitude;
}

// The scales and totals of columns, and the cells, which may be made later.
WholeWeights whole_weights(Tensor cells, WeightColumns columns) {
    const std::size_t count = columns.magnitude.size();
    TensorBuilder scale(type_of_cells(CellType::f32, {count}));
    TensorBuilder totals(type_of_cells(CellType::f32, {count}));
    for (std::size_t j = 0; j < count; ++j) {
        scale.set(0, j, static_cast<float>(columns.magnitude[j]) / largest_int8);
        totals.set(0, j, columns.totals[j]);
    }
    return {std::move(cells), std::move(scale).build(), std::move(totals).build(), std::move(columns)};
}

}  // namespace

Tensor in_bfloat16(const Tensor &weights, bool turned, bool later) {
    const auto round = [](const Matrix &matrix, std::uint16_t *cells) {
        store_rounded(matrix, cells, [](std::size_t, const std::vector<float> &row, std::uint16_t *to) {
            std::transform(row.begin(), row.end(), to, [](float cell) { return nearest_half(cell); });
        });
    };
    TensorType type = type_of_rounded(CellType::bf16, weights, turned);
    if (later) {
        return DerivedTensor::make(std::move(type), making<std::uint16_t>(weights, turned, round));
    }
    TensorBuilder cells(std::move(type));
    round(Matrix(weights, turned), static_cast<std::uint16_t *>(cells.cells(0)));
    return again(std::move(cells).build(), weights, making<std::uint16_t>(weights, turned, round));
}

WholeWeights in_int8(const Tensor &weights, bool turned, std::size_t summed, const WeightColumns *known) {
    // Whether each row, as it stands there, has a scale, or each of its cells.
    const bool by_row = (summed == 0) == turned;
    const auto round_by = [by_row](const std::vector<float> &magnitude) {
        std::vector<float> factor(magnitude.size());
        std::transform(magnitude.begin(), magnitude.end(), factor.begin(),
                       [](float largest) { return largest_int8 / largest; });
        return [factor = std::move(factor), by_row](const Matrix &matrix, std::int8_t *to,
                                                    std::vector<std::int64_t> *sums = nullptr) {
            round_whole(matrix, factor, by_row, to, sums);
        };
    };
    TensorType type = type_of_rounded(CellType::i8, weights, turned);
    if (known != nullptr) {
        const auto round = round_by({known->magnitude.begin(), known->magnitude.end()});
        return whole_weights(DerivedTensor::make(std::move(type), making<std::int8_t>(weights, turned, round)), *known);
    }
    TensorBuilder cells(std::move(type));
    std::vector<float> magnitude;
    std::vector<std::int64_t> sums;
    {
        const Matrix matrix(weights, turned);
        magnitude = largest_magnitudes(matrix, by_row);
        sums.resize(magnitude.size());
        round_by(magnitude)(matrix, static_cast<std::int8_t *>(cells.cells(0)), &sums);
    }
    WeightColumns columns;
    for (std::size_t j = 0; j < magnitude.size(); ++j) {
        columns.magnitude.push_back(magnitude[j]);
        columns.totals.push_back(static_cast<float>(static_cast<double>(sums[j]) * (magnitude[j] / largest_int8)));
    }
    return whole_weights(
        again(std::move(cells).build(), weights, making<std::int8_t>(weights, turned, round_by(magnitude))),
        std::move(columns));
}

}  // namespace tenrex::onnx
