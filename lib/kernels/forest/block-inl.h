// Blocks of documents, with vectors of bytes as wide as a register.
#pragma once

#include "lib/kernels/forest/forest-inl.h"

namespace tenrex::kernels {
namespace {

// A byte for each document of a block; all bits of a byte where something holds.
template <std::size_t width>
struct ByteVectors {
    typedef std::uint8_t V __attribute__((vector_size(width), may_alias));
    static constexpr std::size_t parts = forest_block / width;
    V part[parts];
};

// The leaf of each document.
template <std::size_t width>
inline void leaves_of_block(const ForestBlock &block, const ForestTree &tree, ByteVectors<width> *__restrict reached,
                            std::uint8_t *leaves) {
    using Bytes = ByteVectors<width>;
    using V = typename Bytes::V;
    V leaf[Bytes::parts];
    for (std::size_t k = 0; k < Bytes::parts; ++k) {
        reached[0].part[k] = ~V{};
        leaf[k] = V{};
    }
    const ForestSplit *const splits = block.splits + tree.first_split;
    for (std::size_t i = 0; i < tree.split_count; ++i) {
        const ForestSplit split = splits[i];
        const std::uint8_t *const bytes = block.bytes + std::size_t{split.column} * forest_block;
        for (std::size_t k = 0; k < Bytes::parts; ++k) {
            const V own = *reinterpret_cast<const V *>(bytes + k * width);
            const V here = reached[i].part[k];
            const V fails = __builtin_bit_cast(V, own > split.key + V{}) & here;
            reached[split.when_true].part[k] = here & ~fails;
            reached[split.when_false].part[k] = fails;
            // Who goes on from here has a lower number.
            const V first = fails & (split.first_leaf + V{});
            leaf[k] = leaf[k] > first ? leaf[k] : first;
        }
    }
    for (std::size_t k = 0; k < Bytes::parts; ++k) {
        *reinterpret_cast<V *>(leaves + k * width) = leaf[k];
    }
}

template <std::size_t width, class T>
inline void sum_block(const ForestBlock &block) {
    ByteVectors<width> reached[256];
    alignas(64) std::uint8_t leaves[forest_block];
    for (std::size_t tree = 0; tree < block.tree_count; ++tree) {
        const ForestTree &own = block.trees[tree];
        leaves_of_block<width>(block, own, reached, leaves);
        const T *const values = static_cast<const T *>(block.values) + own.first_value;
        T *const sums = static_cast<T *>(block.sums) + std::size_t{own.output} * forest_block;
        for (std::size_t i = 0; i < forest_block; ++i) {
            sums[i] += values[leaves[i]];
        }
    }
}

}  // namespace
}  // namespace tenrex::kernels
