#include "lib/kernels/simd/avx2-inl.h"
#include "lib/kernels/simd/avx2_lanes-inl.h"
// The vectors first: the loops are templates over them.
#include "lib/kernels/normalize/normalize-inl.h"

namespace tenrex::kernels::avx2 {

#define TENREX_NORMALIZE(type, Vectors)                                 \
    void softmax_##type(const RowNormalization &rows) noexcept {        \
        softmax<Vectors, false>(rows);                                  \
    }                                                                   \
    void stable_softmax_##type(const RowNormalization &rows) noexcept { \
        softmax<Vectors, true>(rows);                                   \
    }                                                                   \
    void by_length_##type(const RowNormalization &rows) noexcept {      \
        divide_rows<Vectors, false>(rows);                              \
    }                                                                   \
    void standardize_##type(const RowNormalization &rows) noexcept {    \
        divide_rows<Vectors, true>(rows);                               \
    }
TENREX_NORMALIZE(f64, VectorsOfDoubles)
TENREX_NORMALIZE(f32, VectorsOfFloats)
#undef TENREX_NORMALIZE

}  // namespace tenrex::kernels::avx2
