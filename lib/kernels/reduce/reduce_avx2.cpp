#include "lib/kernels/reduce/reduce-inl.h"
#include "lib/kernels/simd/avx2-inl.h"

namespace tenrex::kernels::avx2 {

// Sums and products are formed in double; an extreme value of narrower cells is exact in float.
#define TENREX_REDUCE(type, Extremes)                                         \
    void reduce_sum_##type(const Rows &rows) noexcept {                       \
        reduce<Doubles, reduction::Sum, type>(rows);                          \
    }                                                                         \
    void columns_sum_##type(const Columns &columns) noexcept {                \
        reduce_columns<Doubles, reduction::SumOfColumns, type>(columns);      \
    }                                                                         \
    void reduce_prod_##type(const Rows &rows) noexcept {                      \
        reduce<Doubles, reduction::Product, type>(rows);                      \
    }                                                                         \
    void columns_prod_##type(const Columns &columns) noexcept {               \
        reduce_columns<Doubles, reduction::ProductOfColumns, type>(columns);  \
    }                                                                         \
    void reduce_max_##type(const Rows &rows) noexcept {                       \
        reduce<Extremes, reduction::Maximum, type>(rows);                     \
    }                                                                         \
    void columns_max_##type(const Columns &columns) noexcept {                \
        reduce_columns<Extremes, reduction::MaximumOfColumns, type>(columns); \
    }                                                                         \
    void reduce_min_##type(const Rows &rows) noexcept {                       \
        reduce<Extremes, reduction::Minimum, type>(rows);                     \
    }                                                                         \
    void columns_min_##type(const Columns &columns) noexcept {                \
        reduce_columns<Extremes, reduction::MinimumOfColumns, type>(columns); \
    }
TENREX_REDUCE(f64, Doubles)
TENREX_REDUCE(f32, Floats)
TENREX_REDUCE(bf16, Floats)
TENREX_REDUCE(i8, Floats)
#undef TENREX_REDUCE

}  // namespace tenrex::kernels::avx2
