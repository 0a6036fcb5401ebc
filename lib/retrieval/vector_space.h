// Vectors in rows of one kind of cells, and how near other vectors are to them, as keys: the smaller the nearer. What
// is a root or an angle in a distance is none in its key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tenrex/distance_metric.h>
#include <tenrex/nearest_neighbors.h>

#include "lib/kernels/gathered/gathered_kernels.h"
#include "lib/retrieval/row_scale.h"
#include "lib/retrieval/storage.h"

namespace tenrex::retrieval {

// A vector that others are compared with, in the cells of the space.
struct QueryRow {
    const void *cells = nullptr;
    RowScale scale;
};

class VectorSpace {
public:
    VectorSpace() = default;
    VectorSpace(DistanceMetric metric, VectorCells cells, std::size_t dimensions);
    // Whether there are any cells: a space that is not needed has none.
    explicit operator bool() const noexcept { return row_bytes_ != 0; }

    std::size_t stride() const noexcept { return stride_; }
    bool reserve(std::size_t rows);
    bool resize(std::size_t rows);
    // The vector is one that may be added; angular: its length is 1.
    void set(std::uint32_t row, std::span<const float> vector);
    void set_bits(std::uint32_t row, std::span<const std::int8_t> bytes);

    // `cells` holds them.
    QueryRow query(std::span<const float> vector, std::vector<std::byte> &cells) const;
    QueryRow query_bits(std::span<const std::int8_t> bytes) const noexcept;
    QueryRow row(std::uint32_t row, std::vector<std::byte> &cells) const;
    // Asks for what keys() will read: all scales and the first rows, not more bytes than it asks for ahead itself. A
    // row that is longer is left to it. Inlined always, as Graph::fetch is.
    [[gnu::always_inline]] void fetch(const std::uint32_t *rows, std::size_t count) const noexcept {
        if (has_scales()) {
            for (std::size_t i = 0; i < count; ++i) {
                __builtin_prefetch(scales_.as<RowScale>() + rows[i]);
            }
        }
        const auto *const cells = rows_.as<std::byte>();
        std::size_t bytes = kernels::bytes_ahead;
        for (std::size_t i = 0; i < count && bytes >= stride_; ++i, bytes -= stride_) {
            for (std::size_t byte = 0; byte < stride_; byte += cache_line) {
                __builtin_prefetch(cells + rows[i] * stride_ + byte);
            }
        }
    }
    // The keys of `count` rows.
    void keys(const QueryRow &query, const std::uint32_t *rows, std::size_t count, float *keys) const noexcept;
    // `square`: of the length of the query.
    double distance(float key, double square) const noexcept;

    Storage &rows() noexcept { return rows_; }
    Storage &scales() noexcept { return scales_; }
    const Storage &rows() const noexcept { return rows_; }
    const Storage &scales() const noexcept { return scales_; }
    // Signs of vectors that have the same length need none.
    bool has_scales() const noexcept {
        return cells_ == VectorCells::int8 ||
               (has_signs() && (metric_ == DistanceMetric::euclidean || metric_ == DistanceMetric::dotproduct));
    }

private:
    // Whether rows are the signs of numbers, which a query of several planes is compared with.
    bool has_signs() const noexcept { return cells_ == VectorCells::bits && metric_ != DistanceMetric::hamming; }
    RowScale write(std::span<const float> vector, std::byte *cells) const;

    DistanceMetric metric_ = DistanceMetric::euclidean;
    VectorCells cells_ = VectorCells::float32;
    std::size_t row_bytes_ = 0;
    std::size_t stride_ = 0;
    std::size_t length_ = 0;  // cells of a row, as the kernel counts them
    const kernels::GatheredKernel *kernel_ = nullptr;
    // The dot product of cells or levels is base_ + slope_ * what the kernel gives.
    float base_ = 0;
    float slope_ = 1;
    Storage rows_;
    Storage scales_;
};

}  // namespace tenrex::retrieval
