// Numbers become ranks, and ranks the bytes of columns. What counts the numbers of a group that are not above one is
// given: count(group, number). So is what looks ranks up in sets: sets.begin(ranks, feature), then for each set
// sets.fill(bits, bytes).
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

// Sets of so many documents, bit by bit.
template <std::size_t documents>
class SetsByBits {
public:
    void begin(const std::uint32_t *ranks, const ForestFeature &) { ranks_ = ranks; }
    void fill(const std::uint8_t *__restrict bits, std::uint8_t *__restrict bytes) const {
        for (std::size_t i = 0; i < documents; ++i) {
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

template <std::size_t documents, class Sets, class Count>
inline void rank_features(const Count &count, const ForestRanking &ranking) {
    Sets sets;
    alignas(64) std::uint32_t ranks[documents] = {};
    for (std::size_t i = 0; i < ranking.used_count; ++i) {
        const ForestFeature &feature = ranking.features[ranking.used[i]];
        rank_numbers(count, ranking, feature, documents == 1 ? 1 : ranking.documents, ranks);
        bool has_begun = false;
        for (std::size_t k = 0; k < feature.column_count; ++k) {
            const std::size_t number = feature.first_column + k;
            const ForestColumn &column = ranking.columns[number];
            std::uint8_t *const bytes = ranking.bytes + number * documents;
            if (!column.is_set) {
                fill_column<documents>(feature, column, ranks, bytes);
                continue;
            }
            if (!has_begun) {
                sets.begin(ranks, feature);
                has_begun = true;
            }
            sets.fill(ranking.sets + column.base, bytes);
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
