#include "lib/retrieval/vector_space.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "lib/retrieval/bit_planes.h"

namespace tenrex::retrieval {

namespace {

using kernels::RowPairOperation;

constexpr std::size_t word = sizeof(std::uint64_t);  // bits are compared by whole words
constexpr float most_of_byte = 127;  // of an int8 cell: with -128 the scale would not be the same for both signs

std::uint16_t rounded_bfloat16(float value) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

std::size_t bytes_of_row(VectorCells cells, DistanceMetric metric, std::size_t dimensions) noexcept {
    switch (cells) {
        case VectorCells::float32:
            return dimensions * sizeof(float);
        case VectorCells::bfloat16:
            return dimensions * sizeof(std::uint16_t);
        case VectorCells::int8:
            return dimensions;
        case VectorCells::bits:
            break;
    }
    return metric == DistanceMetric::hamming ? dimensions : (dimensions + 7) / 8;
}

const kernels::GatheredKernel *kernel_of(VectorCells cells, DistanceMetric metric, std::size_t length) noexcept {
    const RowPairOperation operation = cells == VectorCells::bits ? RowPairOperation::hamming
                                       : cells == VectorCells::int8 || metric != DistanceMetric::euclidean
                                           ? RowPairOperation::dot
                                           : RowPairOperation::squared_distance;
    const bool bytes = cells == VectorCells::bits || cells == VectorCells::int8;
    const CellType gathered = bytes ? CellType::i8 : cells == VectorCells::bfloat16 ? CellType::bf16 : CellType::f32;
    const std::size_t planes = cells == VectorCells::bits && metric != DistanceMetric::hamming ? bit_planes : 1;
    return kernels::choose_gathered(operation, bytes ? CellType::i8 : CellType::f32, gathered, planes, length);
}

RowScale write_bytes(std::span<const float> vector, std::int8_t *cells) noexcept {
    float largest = 0;
    bool whole = true;
    for (const float value : vector) {
        largest = std::max(largest, std::fabs(value));
        whole = whole && value == std::nearbyint(value);
    }
    const float factor = largest == 0 || (whole && largest <= most_of_byte) ? 1 : largest / most_of_byte;
    double square = 0;
    for (std::size_t i = 0; i < vector.size(); ++i) {
        const float value = std::clamp(std::nearbyint(vector[i] / factor), -most_of_byte, most_of_byte);
        cells[i] = static_cast<std::int8_t>(value);
        square += static_cast<double>(value) * static_cast<double>(value);
    }
    return {factor, static_cast<float>(square * static_cast<double>(factor) * static_cast<double>(factor))};
}

}  // namespace

VectorSpace::VectorSpace(DistanceMetric metric, VectorCells cells, std::size_t dimensions)
    : metric_(metric),
      cells_(cells),
      row_bytes_(bytes_of_row(cells, metric, dimensions)),
      stride_((row_bytes_ + cache_line - 1) / cache_line * cache_line),
      length_(has_signs() ? (row_bytes_ + word - 1) / word * word : dimensions),
      kernel_(kernel_of(cells, metric, length_)) {
    if (has_signs()) {
        base_ = largest_level * static_cast<float>(dimensions);
        slope_ = -2;
    }
}

bool VectorSpace::reserve(std::size_t rows) {
    return rows_.reserve(rows * stride_) && (!has_scales() || scales_.reserve(rows * sizeof(RowScale)));
}

bool VectorSpace::resize(std::size_t rows) {
    return rows_.resize(rows * stride_) && (!has_scales() || scales_.resize(rows * sizeof(RowScale)));
}

RowScale VectorSpace::write(std::span<const float> vector, std::byte *cells) const {
    std::memset(cells, 0, row_bytes_);
    switch (cells_) {
        case VectorCells::float32:
            std::memcpy(cells, vector.data(), vector.size_bytes());
            break;
        case VectorCells::bfloat16:
            std::transform(vector.begin(), vector.end(), reinterpret_cast<std::uint16_t *>(cells), rounded_bfloat16);
            break;
        case VectorCells::int8:
            return write_bytes(vector, reinterpret_cast<std::int8_t *>(cells));
        case VectorCells::bits:
            write_signs(vector, reinterpret_cast<std::uint8_t *>(cells));
            return scale_of_signs(vector);
    }
    return {};
}

void VectorSpace::set(std::uint32_t row, std::span<const float> vector) {
    const RowScale scale = write(vector, rows_.writable<std::byte>() + row * stride_);
    if (has_scales()) {
        scales_.writable<RowScale>()[row] = scale;
    }
}

void VectorSpace::set_bits(std::uint32_t row, std::span<const std::int8_t> bytes) {
    std::memcpy(rows_.writable<std::byte>() + row * stride_, bytes.data(), bytes.size());
}

// Floats are compared with bfloat16 cells as they are.
QueryRow VectorSpace::query(std::span<const float> vector, std::vector<std::byte> &cells) const {
    if (cells_ == VectorCells::float32 || cells_ == VectorCells::bfloat16) {
        return {vector.data(), {}};
    }
    if (has_signs()) {
        cells.resize(bit_planes * length_);
        const RowScale scale = write_planes(vector, length_, reinterpret_cast<std::uint8_t *>(cells.data()));
        return {cells.data(), scale};
    }
    cells.resize(row_bytes_);
    const RowScale scale = write(vector, cells.data());
    return {cells.data(), scale};
}

QueryRow VectorSpace::query_bits(std::span<const std::int8_t> bytes) const noexcept {
    return {bytes.data(), {}};
}

// Not of signs: graphs over them are built by the floats beside them.
QueryRow VectorSpace::row(std::uint32_t row, std::vector<std::byte> &cells) const {
    const std::byte *const stored = rows_.as<std::byte>() + row * stride_;
    if (cells_ == VectorCells::bfloat16) {
        cells.resize(length_ * sizeof(float));
        const auto *const narrow = reinterpret_cast<const std::uint16_t *>(stored);
        std::transform(narrow, narrow + length_, reinterpret_cast<float *>(cells.data()),
                       [](std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); });
        return {cells.data(), {}};
    }
    return {stored, has_scales() ? scales_.as<RowScale>()[row] : RowScale{}};
}

void VectorSpace::keys(const QueryRow &query, const std::uint32_t *rows, std::size_t count,
                       float *keys) const noexcept {
    const RowScale *const scales = has_scales() ? scales_.as<RowScale>() : nullptr;
    kernel_->function({query.cells, rows_.as<std::byte>(), stride_, rows, count, length_, keys});
    if (scales != nullptr) {
        const bool squared = metric_ == DistanceMetric::euclidean;
        for (std::size_t i = 0; i < count; ++i) {
            const RowScale &scale = scales[rows[i]];
            const float product = query.scale.factor * scale.factor * (base_ + slope_ * keys[i]);
            keys[i] = squared ? query.scale.square + scale.square - 2 * product : -product;
        }
    } else if (kernel_->operation == RowPairOperation::dot) {
        for (std::size_t i = 0; i < count; ++i) {
            keys[i] = -keys[i];
        }
    }
}

double VectorSpace::distance(float key, double square) const noexcept {
    const auto value = static_cast<double>(key);
    switch (metric_) {
        case DistanceMetric::euclidean:
            return std::sqrt(std::max(0.0, value));
        case DistanceMetric::angular:
            return std::acos(std::clamp(-value, -1.0, 1.0));
        case DistanceMetric::prenormalized_angular:
            return 1 - std::clamp(-value / square, -1.0, 1.0);
        case DistanceMetric::dotproduct:
        case DistanceMetric::hamming:
        case DistanceMetric::geodegrees:  // no index has it
            break;
    }
    return value;
}

}  // namespace tenrex::retrieval
