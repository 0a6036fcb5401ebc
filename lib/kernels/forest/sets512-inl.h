// Sets of ranks where a register is a table of words.
#pragma once

#include <immintrin.h>

#include "lib/kernels/forest/rank-inl.h"

namespace tenrex::kernels {
namespace {

// A set of up to 512 ranks is a register of 32 words: each document takes the word of its rank, and tests its bit.
class Sets512 {
public:
    void begin(const std::uint32_t *ranks, const ForestFeature &feature) {
        by_bits_.begin(ranks, feature);
        bytes_of_set_ = feature.missing / 8 + 1;
        for (std::size_t half = 0; half < 2; ++half) {
            const std::uint32_t *const own = ranks + half * 32;
            const __m256i low = _mm512_cvtepi32_epi16(_mm512_loadu_si512(own));
            const __m256i high = _mm512_cvtepi32_epi16(_mm512_loadu_si512(own + 16));
            const __m512i all = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
            words_[half] = _mm512_srli_epi16(all, 4);
            bits_[half] = _mm512_sllv_epi16(_mm512_set1_epi16(1), _mm512_and_si512(all, _mm512_set1_epi16(15)));
        }
    }

    void fill(const std::uint8_t *set, std::uint8_t *bytes) const {
        constexpr std::uint32_t bytes_of_register = 64;
        if (bytes_of_set_ > bytes_of_register) {
            by_bits_.fill(set, bytes);
            return;
        }
        const __mmask64 there = ~std::uint64_t{0} >> (bytes_of_register - bytes_of_set_);
        const __m512i table = _mm512_maskz_loadu_epi8(there, set);
        const __mmask32 low = _mm512_testn_epi16_mask(_mm512_permutexvar_epi16(words_[0], table), bits_[0]);
        const __mmask32 high = _mm512_testn_epi16_mask(_mm512_permutexvar_epi16(words_[1], table), bits_[1]);
        _mm512_storeu_si512(bytes, _mm512_maskz_set1_epi8(_mm512_kunpackd(high, low), 1));
    }

private:
    SetsByBits by_bits_;
    std::uint32_t bytes_of_set_ = 0;
    __m512i words_[2] = {};
    __m512i bits_[2] = {};
};

}  // namespace
}  // namespace tenrex::kernels
