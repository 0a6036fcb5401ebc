// Blocks of documents where a comparison of 64 bytes gives a mask of 64 bits.
#pragma once

#include <immintrin.h>

#include "lib/kernels/forest/forest-inl.h"

namespace tenrex::kernels {
namespace {

// The leaf of each document.
inline __m512i leaves_of_block(const ForestBlock &block, const ForestTree &tree, std::uint64_t *reached) {
    reached[0] = ~std::uint64_t{0};
    const auto mask = [=](std::size_t split) { return reinterpret_cast<__mmask64 *>(reached + split); };
    __m512i leaf = _mm512_setzero_si512();
    const ForestSplit *const splits = block.splits + tree.first_split;
    for (std::size_t i = 0; i < tree.split_count; ++i) {
        const ForestSplit split = splits[i];
        const void *const bytes = block.bytes + std::size_t{split.column} * forest_block;
        const __mmask64 here = _load_mask64(mask(i));
        const __mmask64 fails =
            _mm512_mask_cmpgt_epu8_mask(here, _mm512_load_si512(bytes), _mm512_set1_epi8(static_cast<char>(split.key)));
        // Who goes on from here has a lower number.
        leaf = _mm512_mask_set1_epi8(leaf, fails, static_cast<char>(split.first_leaf));
        _store_mask64(mask(split.when_true), _kandn_mask64(fails, here));
        _store_mask64(mask(split.when_false), fails);
    }
    return leaf;
}

// Sums are kept in an order in which no value has to cross a register; put in it, they take the places back and forth.
struct Doubles512 {
    using T = double;
    // The values of 32 leaves for each table, split into halves: sixteen lanes are looked up at a time.
    template <int tables>
    static void add(const std::uint8_t *leaves, const double *values, double *sums) {
        __m512i low[2 * tables], high[2 * tables];
        const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
        const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
        for (int k = 0; k < 2 * tables; ++k) {
            const __m512i a = _mm512_loadu_si512(values + 16 * k);
            const __m512i b = _mm512_loadu_si512(values + 16 * k + 8);
            low[k] = _mm512_permutex2var_epi32(a, even, b);
            high[k] = _mm512_permutex2var_epi32(a, odd, b);
        }
        for (std::size_t i = 0; i < forest_block; i += 16) {
            const __m512i leaf = _mm512_cvtepu8_epi32(_mm_load_si128(reinterpret_cast<const __m128i *>(leaves + i)));
            __m512i lower = _mm512_permutex2var_epi32(low[0], leaf, low[1]);
            __m512i upper = _mm512_permutex2var_epi32(high[0], leaf, high[1]);
            if constexpr (tables == 2) {
                const __mmask16 second = _mm512_test_epi32_mask(leaf, _mm512_set1_epi32(32));
                lower = _mm512_mask_mov_epi32(lower, second, _mm512_permutex2var_epi32(low[2], leaf, low[3]));
                upper = _mm512_mask_mov_epi32(upper, second, _mm512_permutex2var_epi32(high[2], leaf, high[3]));
            }
            const __m512d first = _mm512_castsi512_pd(_mm512_unpacklo_epi32(lower, upper));
            const __m512d other = _mm512_castsi512_pd(_mm512_unpackhi_epi32(lower, upper));
            _mm512_store_pd(sums + i, _mm512_add_pd(_mm512_load_pd(sums + i), first));
            _mm512_store_pd(sums + i + 8, _mm512_add_pd(_mm512_load_pd(sums + i + 8), other));
        }
    }
    static void add_any(const std::uint8_t *leaves, const double *values, double *sums) {
        for (std::size_t i = 0; i < forest_block; i += 16) {
            const __m512i leaf = _mm512_cvtepu8_epi32(_mm_load_si128(reinterpret_cast<const __m128i *>(leaves + i)));
            // The documents that unpacking leaves in one register.
            const __m512i first =
                _mm512_permutexvar_epi32(_mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 13, 12, 9, 8, 5, 4, 1, 0), leaf);
            const __m512i other =
                _mm512_permutexvar_epi32(_mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 15, 14, 11, 10, 7, 6, 3, 2), leaf);
            const __m512d a = _mm512_i32gather_pd(_mm512_castsi512_si256(first), values, 8);
            const __m512d b = _mm512_i32gather_pd(_mm512_castsi512_si256(other), values, 8);
            _mm512_store_pd(sums + i, _mm512_add_pd(_mm512_load_pd(sums + i), a));
            _mm512_store_pd(sums + i + 8, _mm512_add_pd(_mm512_load_pd(sums + i + 8), b));
        }
    }
    static void put_out_of_order(double *sums) {
        permute(sums, _mm512_set_epi64(13, 12, 9, 8, 5, 4, 1, 0), _mm512_set_epi64(15, 14, 11, 10, 7, 6, 3, 2));
    }
    static void put_in_order(double *sums) {
        permute(sums, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4));
    }
    static void permute(double *sums, __m512i lower, __m512i upper) {
        for (std::size_t i = 0; i < forest_block; i += 16) {
            const __m512d a = _mm512_load_pd(sums + i);
            const __m512d b = _mm512_load_pd(sums + i + 8);
            _mm512_store_pd(sums + i, _mm512_permutex2var_pd(a, lower, b));
            _mm512_store_pd(sums + i + 8, _mm512_permutex2var_pd(a, upper, b));
        }
    }
};

struct Floats512 {
    using T = float;
    template <int tables>
    static void add(const std::uint8_t *leaves, const float *values, float *sums) {
        __m512 table[2 * tables];
        for (int k = 0; k < 2 * tables; ++k) {
            table[k] = _mm512_loadu_ps(values + 16 * k);
        }
        for (std::size_t i = 0; i < forest_block; i += 16) {
            const __m512i leaf = _mm512_cvtepu8_epi32(_mm_load_si128(reinterpret_cast<const __m128i *>(leaves + i)));
            __m512 value = _mm512_permutex2var_ps(table[0], leaf, table[1]);
            if constexpr (tables == 2) {
                const __mmask16 second = _mm512_test_epi32_mask(leaf, _mm512_set1_epi32(32));
                value = _mm512_mask_mov_ps(value, second, _mm512_permutex2var_ps(table[2], leaf, table[3]));
            }
            _mm512_store_ps(sums + i, _mm512_add_ps(_mm512_load_ps(sums + i), value));
        }
    }
    static void add_any(const std::uint8_t *leaves, const float *values, float *sums) {
        for (std::size_t i = 0; i < forest_block; i += 16) {
            const __m512i leaf = _mm512_cvtepu8_epi32(_mm_load_si128(reinterpret_cast<const __m128i *>(leaves + i)));
            const __m512 value = _mm512_i32gather_ps(leaf, values, 4);
            _mm512_store_ps(sums + i, _mm512_add_ps(_mm512_load_ps(sums + i), value));
        }
    }
    static void put_out_of_order(float *) {}
    static void put_in_order(float *) {}
};

template <class Sums>
inline void sum_block(const ForestBlock &block) {
    using T = typename Sums::T;
    alignas(64) std::uint64_t reached[256];
    alignas(64) std::uint8_t leaves[forest_block];
    for (std::size_t output = 0; output < block.output_count; ++output) {
        Sums::put_out_of_order(static_cast<T *>(block.sums) + output * forest_block);
    }
    for (std::size_t tree = 0; tree < block.tree_count; ++tree) {
        const ForestTree &own = block.trees[tree];
        const T *const values = static_cast<const T *>(block.values) + own.first_value;
        T *const sums = static_cast<T *>(block.sums) + std::size_t{own.output} * forest_block;
        _mm512_store_si512(leaves, leaves_of_block(block, own, reached));
        if (own.leaf_count <= 32) {
            Sums::template add<1>(leaves, values, sums);
        } else if (own.leaf_count <= 64) {
            Sums::template add<2>(leaves, values, sums);
        } else {
            Sums::add_any(leaves, values, sums);
        }
    }
    for (std::size_t output = 0; output < block.output_count; ++output) {
        Sums::put_in_order(static_cast<T *>(block.sums) + output * forest_block);
    }
}

// How many of the numbers of a group are not above one.
struct Count512 {
    std::uint32_t operator()(const double *group, double number) const {
        const __m512d all = _mm512_set1_pd(number);
        const __mmask8 first = _mm512_cmp_pd_mask(_mm512_loadu_pd(group), all, _CMP_LE_OQ);
        const __mmask8 other = _mm512_cmp_pd_mask(_mm512_loadu_pd(group + 8), all, _CMP_LE_OQ);
        return static_cast<std::uint32_t>(__builtin_popcount(first) + __builtin_popcount(other));
    }
    std::uint32_t operator()(const float *group, float number) const {
        const __mmask16 mask = _mm512_cmp_ps_mask(_mm512_loadu_ps(group), _mm512_set1_ps(number), _CMP_LE_OQ);
        return static_cast<std::uint32_t>(__builtin_popcount(mask));
    }
};

}  // namespace
}  // namespace tenrex::kernels
