// The weights of attention in bfloat16: the softmax of scores, in vectors of 512 bits, rounded.
#pragma once

#include <immintrin.h>

#include <type_traits>

#include "lib/kernels/attention/attention.h"
#include "lib/kernels/matmul/tiles-inl.h"

namespace tenrex::kernels {
namespace {

// The row of a strip of sums: use(cells, place of the first one, how many vectors), which is a constant.
template <class S, class Use>
inline void for_row(f32 *sums, std::size_t columns, std::size_t capacity, std::size_t row, const Use &use) {
    constexpr std::size_t panel = S::panel * S::lanes;
    std::size_t left = 0;
    for (; columns - left >= panel; left += panel) {
        use(sums + left * capacity + row * panel, left, std::integral_constant<std::size_t, S::panel>());
    }
    for (std::size_t j = 0; left + j < columns; j += S::lanes) {
        use(sums + left * capacity + row * (columns - left) + j, left + j, std::integral_constant<std::size_t, 1>());
    }
}

// 2^t = 2^floor(t) * 2^rest; the polynomial is off by less than 2^-13 of the power of the rest.
inline __m512 power_of_two(__m512 t) {
    constexpr int below = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    const __m512 rest = _mm512_reduce_ps(t, below);
    __m512 power = _mm512_set1_ps(0x1.3f96a4p-4F);
    power = _mm512_fmadd_ps(power, rest, _mm512_set1_ps(0x1.cefc4cp-3F));
    power = _mm512_fmadd_ps(power, rest, _mm512_set1_ps(0x1.64444cp-1F));
    power = _mm512_fmadd_ps(power, rest, _mm512_set1_ps(0x1.fff632p-1F));
    return _mm512_scalef_ps(power, t);
}

// The softmax of rows of scores.
template <class S>
class RoundedWeights {
public:
    RoundedWeights(const Attention &call, f32 *scores, std::size_t capacity)
        : call_(call),
          scores_(scores),
          capacity_(capacity),
          columns_(round_up(call.key_count, S::lanes)),
          scales_first_(call.masking != AttentionMask::none || !(call.scale > 0)) {}

    // mask: of the row; null without one.
    void make(std::size_t row, const f32 *mask, bf16 *weights, std::size_t words) const {
        fill_up(row);
        if (scales_first_) {
            scale(row, mask);
        }
        const float sum = raise(row, call_.subtracts_max ? largest(row) : 0);
        // A sum with the power of the largest score is at least about 1.
        if (call_.subtracts_max) {
            const __m512 factor = _mm512_set1_ps(1 / sum);
            store(row, weights, words, [&](__m512 power) { return _mm512_mul_ps(power, factor); });
        } else {
            const __m512 divisor = _mm512_set1_ps(sum);
            store(row, weights, words, [&](__m512 power) { return _mm512_div_ps(power, divisor); });
        }
    }

private:
    template <class Use>
    void for_row_of(std::size_t row, const Use &use) const {
        for_row<S>(scores_, columns_, capacity_, row, use);
    }

    // What is behind the last key has no weight.
    void fill_up(std::size_t row) const {
        const std::size_t own = call_.key_count % S::lanes;
        if (own == 0) {
            return;
        }
        constexpr std::size_t panel = S::panel * S::lanes;
        const std::size_t left = call_.key_count / panel * panel;
        f32 *const last = scores_ + left * capacity_ + row * (columns_ - left) + (columns_ - left - S::lanes);
        _mm512_mask_storeu_ps(last, static_cast<__mmask16>(0xFFFFU << own), _mm512_set1_ps(-__builtin_inff()));
    }

    void scale(std::size_t row, const f32 *mask) const {
        const __m512 factor = _mm512_set1_ps(call_.scale);
        const __m512 otherwise = _mm512_set1_ps(call_.otherwise);
        const bool by_key = call_.mask.cell != 0;
        for_row_of(row, [&](f32 *cells, std::size_t first, auto vectors) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < decltype(vectors)::value; ++v) {
                const std::size_t key = first + v * S::lanes;
                const std::size_t left = call_.key_count - key;
                const auto own = static_cast<__mmask16>(left >= S::lanes ? 0xFFFFU : (1U << left) - 1);
                const __m512 score = _mm512_loadu_ps(cells + v * S::lanes);
                __m512 x = _mm512_mul_ps(score, factor);
                if (mask != nullptr) {
                    const __m512 of_key = by_key ? _mm512_maskz_loadu_ps(own, mask + key) : _mm512_set1_ps(mask->value);
                    x = call_.masking == AttentionMask::added
                            ? _mm512_add_ps(x, of_key)
                            : _mm512_mask_mov_ps(otherwise,
                                                 _mm512_cmp_ps_mask(of_key, _mm512_setzero_ps(), _CMP_NEQ_UQ), x);
                }
                _mm512_storeu_ps(cells + v * S::lanes, _mm512_mask_mov_ps(score, own, x));
            }
        });
    }

    float largest(std::size_t row) const {
        __m512 best[S::panel];
        for (__m512 &own : best) {
            own = _mm512_set1_ps(-__builtin_inff());
        }
        for_row_of(row, [&](const f32 *cells, std::size_t, auto vectors) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < decltype(vectors)::value; ++v) {
                best[v] = _mm512_max_ps(_mm512_loadu_ps(cells + v * S::lanes), best[v]);  // not if it is NaN
            }
        });
        for (std::size_t v = 1; v < S::panel; ++v) {
            best[0] = _mm512_max_ps(best[v], best[0]);
        }
        return _mm512_reduce_max_ps(best[0]);
    }

    // The powers, in place; their sum.
    float raise(std::size_t row, float subtracted) const {
        constexpr float by_ln2 = 0x1.715476p+0F;
        const __m512 factor = _mm512_set1_ps(scales_first_ ? by_ln2 : call_.scale * by_ln2);
        const __m512 largest = _mm512_set1_ps(subtracted);
        __m512 sum[S::panel];
        for (__m512 &own : sum) {
            own = _mm512_setzero_ps();
        }
        for_row_of(row, [&](f32 *cells, std::size_t, auto vectors) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < decltype(vectors)::value; ++v) {
                const __m512 x = _mm512_sub_ps(_mm512_loadu_ps(cells + v * S::lanes), largest);
                const __m512 power = power_of_two(_mm512_mul_ps(x, factor));
                sum[v] = _mm512_add_ps(sum[v], power);
                _mm512_storeu_ps(cells + v * S::lanes, power);
            }
        });
        for (std::size_t v = 1; v < S::panel; ++v) {
            sum[0] = _mm512_add_ps(sum[0], sum[v]);
        }
        return _mm512_reduce_add_ps(sum[0]);
    }

    template <class Divide>
    void store(std::size_t row, bf16 *weights, std::size_t words, const Divide &divided) const {
        for_row_of(row, [&](const f32 *cells, std::size_t first, auto vectors) {
            TENREX_UNROLL
            for (std::size_t v = 0; v < decltype(vectors)::value; ++v) {
                const __m512 power = _mm512_loadu_ps(cells + v * S::lanes);
                const __m256bh rounded = _mm512_cvtneps_pbh(divided(power));
                __builtin_memcpy(weights + first + v * S::lanes, &rounded, sizeof(rounded));
            }
        });
        __builtin_memset(weights + columns_, 0, (2 * words - columns_) * sizeof(bf16));
    }

    const Attention &call_;
    f32 *scores_;
    std::size_t capacity_;
    std::size_t columns_;
    bool scales_first_;  // or else as the powers are made: the largest score is the same
};

}  // namespace
}  // namespace tenrex::kernels
