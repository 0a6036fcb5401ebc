// Numbers become ranks, and ranks the bytes of columns. What counts the numbers of a group that are not above one is
// given: count(group, number). So is what looks up the ranks of a block in sets: sets.begin(ranks, feature), then for
// each set sets.fill(bits, bytes).
#pragma once

#include "lib/kernels/forest/forest-inl.h"

namespace tenrex::kernels {
namespace {

template <class Count, class T>
inline std::uint32_t rank_of(const Count &count, const ForestFeature &feature, const T *cuts, T number) {
    if (number != number) {
        return feature.missing;
    }
    std::uint32_t rank = 0;
    for (std::size_t level = 0; level < feature.level_count; ++level) {
        rank *= ForestFeature::group;
        rank += count(cuts + feature.levels[level] + rank, number);
    }
    return rank;
}

template <class Cell, class T, class Count>
inline void rank_cells(const Count &count, const ForestFeature &feature, const T *cuts, const char *cell,
                       std::ptrdiff_t stride, std::size_t documents, std::uint32_t *ranks) {
    for (std::size_t i = 0; i < documents; ++i, cell += stride) {
        ranks[i] = rank_of(count, feature, cuts, static_cast<T>(reinterpret_cast<const Cell *>(cell)->value));
    }
}

template <class Count>
inline void rank_numbers(const Count &count, const ForestRanking &ranking, const ForestFeature &feature,
                         std::size_t documents, std::uint32_t *ranks) {
    const ForestSource source = ranking.sources[feature.source];
    const char *const cell = row<char>(source.cells, source.stride, ranking.first_document) + feature.offset;
    switch (feature.numbers) {
        case ForestNumbers::f64:
            return rank_cells<f64>(count, feature, ranking.doubles, cell, source.stride, documents, ranks);
        case ForestNumbers::f64_as_f32:
            return rank_cells<f64>(count, feature, ranking.floats, cell, source.stride, documents, ranks);
        case ForestNumbers::f32:
            return rank_cells<f32>(count, feature, ranking.floats, cell, source.stride, documents, ranks);
    }
}

// Sets of a block, bit by bit.
class SetsByBits {
public:
    void begin(const std::uint32_t *ranks, const ForestFeature &) { ranks_ = ranks; }
    void fill(const std::uint8_t *__restrict bits, std::uint8_t *__restrict bytes) const {
        for (std::size_t i = 0; i < forest_block; ++i) {
            bytes[i] = ((bits[ranks_[i] / 8] >> (ranks_[i] % 8)) & 1) ^ 1;
        }
    }

private:
    const std::uint32_t *ranks_ = nullptr;
};

// The bytes of a column of so many documents that is no set.
template <std::size_t documents>
inline void fill_column(const ForestFeature &feature, const ForestColumn &column, const std::uint32_t *__restrict ranks,
                        std::uint8_t *__restrict bytes) {
    const std::uint32_t of_missing = column.missing_passes ? 0 : feature.missing;
    const std::uint32_t first_zero = column.zero_is_missing ? feature.zeros[0] : 0;
    const std::uint32_t zeros = column.zero_is_missing ? feature.zeros[1] - first_zero : 0;
    const std::uint32_t base = column.base;
    for (std::size_t i = 0; i < documents; ++i) {
        std::uint32_t rank = ranks[i];
        rank = rank == feature.missing ? of_missing : rank;
        rank = rank - first_zero < zeros ? of_missing : rank;
        rank = rank > base ? rank - base : 0;
        bytes[i] = static_cast<std::uint8_t>(rank < 255 ? rank : 255);
    }
}

// Each bit as a byte.
inline void spread_bits(const std::uint8_t *__restrict bits, std::size_t count, std::uint8_t *__restrict bytes) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::size_t at_once = 8;
    const auto spread = [](std::uint8_t of) {
        const std::uint64_t apart = of * ones & 0x8040201008040201;
        return ((apart + 127 * ones) >> 7) & ones;
    };
    std::size_t i = 0;
    for (; i + at_once <= count; i += at_once) {
        const std::uint64_t eight = spread(bits[i / at_once]);
        __builtin_memcpy(bytes + i, &eight, at_once);
    }
    if (i < count) {
        const std::uint64_t rest = spread(bits[i / at_once]);
        __builtin_memcpy(bytes + i, &rest, count - i);
    }
}

// calls fill_sets(feature, ranks, bytes) for features with sets.
template <std::size_t documents, class Count, class FillSets>
inline void rank_features(const Count &count, const ForestRanking &ranking, const FillSets &fill_sets) {
    alignas(64) std::uint32_t ranks[documents] = {};
    for (std::size_t i = 0; i < ranking.used_count; ++i) {
        const ForestFeature &feature = ranking.features[ranking.used[i]];
        rank_numbers(count, ranking, feature, documents == 1 ? 1 : ranking.documents, ranks);
        std::uint8_t *bytes = ranking.bytes + std::size_t{feature.first_column} * documents;
        const ForestColumn *const columns = ranking.columns + feature.first_column;
        for (std::size_t k = 0; k < feature.column_count - feature.set_count; ++k, bytes += documents) {
            fill_column<documents>(feature, columns[k], ranks, bytes);
        }
        if (feature.set_count != 0) {
            fill_sets(feature, ranks, bytes);
        }
    }
}

template <class Sets, class Count>
inline void rank_features_of_block(const Count &count, const ForestRanking &ranking) {
    Sets sets;
    rank_features<forest_block>(
        count, ranking, [&](const ForestFeature &feature, const std::uint32_t *ranks, std::uint8_t *bytes) {
            sets.begin(ranks, feature);
            const ForestColumn *column =
                ranking.columns + feature.first_column + feature.column_count - feature.set_count;
            for (std::size_t k = 0; k < feature.set_count; ++k, ++column, bytes += forest_block) {
                sets.fill(ranking.sets + column->base, bytes);
            }
        });
}

template <class Count>
inline void rank_features_of_one(const Count &count, const ForestRanking &ranking) {
    rank_features<1>(count, ranking,
                     [&](const ForestFeature &feature, const std::uint32_t *ranks, std::uint8_t *bytes) {
                         const std::size_t row = feature.first_row + ranks[0] * feature.row_bytes();
                         spread_bits(ranking.set_rows + row, feature.set_count, bytes);
                     });
}

}  // namespace
}  // namespace tenrex::kernels
