// Sets of ranks where a vector of bytes can look up bytes of a table.
#pragma once

#include "lib/kernels/forest/rank-inl.h"

namespace tenrex::kernels {
namespace {

// A document takes the byte of its rank, and tests its bit. Lookup says what a vector of bytes is (V), and what it
// finds in a table of 16 bytes: find(table, indexes), 0 for indexes from 16 on.
template <class Lookup>
class SetsByLookup {
public:
    void begin(const std::uint32_t *__restrict ranks, const ForestFeature &feature) {
        by_bits_.begin(ranks, feature);
        bytes_of_set_ = feature.missing / 8 + 1;
        for (std::size_t i = 0; i < forest_block; ++i) {
            indexes_[i] = static_cast<std::uint8_t>(ranks[i] / 8);
            bits_[i] = static_cast<std::uint8_t>(1U << (ranks[i] % 8));
        }
    }

    void fill(const std::uint8_t *__restrict set, std::uint8_t *__restrict bytes) const {
        if (bytes_of_set_ > most_bytes) {
            by_bits_.fill(set, bytes);
            return;
        }
        for (std::size_t i = 0; i < forest_block; i += sizeof(V)) {
            const V index = *reinterpret_cast<const V *>(indexes_ + i);
            V found = Lookup::find(set, index);
            for (std::size_t first = table_bytes; first < bytes_of_set_; first += table_bytes) {
                found |= Lookup::find(set + first, index - static_cast<std::uint8_t>(first));
            }
            const V passes = found & *reinterpret_cast<const V *>(bits_ + i);
            *reinterpret_cast<V *>(bytes + i) = __builtin_bit_cast(V, passes == V{}) & 1;
        }
    }

private:
    using V = typename Lookup::V;
    static constexpr std::size_t table_bytes = 16;
    static constexpr std::size_t most_bytes = 64;

    SetsByBits by_bits_;
    std::uint32_t bytes_of_set_ = 0;
    alignas(64) std::uint8_t indexes_[forest_block] = {};
    alignas(64) std::uint8_t bits_[forest_block] = {};
};

}  // namespace
}  // namespace tenrex::kernels
