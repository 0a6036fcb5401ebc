#include "lib/kernels/simd/avx2_lanes-inl.h"
// The vectors first: the loop and the operations are templates over them.
#include "lib/kernels/elementwise/elementwise-inl.h"
#include "lib/kernels/elementwise/operations-inl.h"

namespace tenrex::kernels::avx2 {

#define TENREX_ELEMENTWISE(id, arity)                          \
    void id##_f32(const Elementwise &cells) noexcept {         \
        elementwise<FloatLanes, operation::id, arity>(cells);  \
    }                                                          \
    void id##_f64(const Elementwise &cells) noexcept {         \
        elementwise<DoubleLanes, operation::id, arity>(cells); \
    }
#include "lib/kernels/elementwise/operations.def"
#undef TENREX_ELEMENTWISE

}  // namespace tenrex::kernels::avx2
