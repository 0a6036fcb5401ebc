#include "lib/kernels/reduce/reduce-inl.h"
#include "lib/kernels/simd/avx512-inl.h"

namespace tenrex::kernels {
namespace {

template <class Operation, class Out>
inline Out join_lanes(HalvesOfDoubles::Vector x) {
    return join_lanes<Operation, Out>(Operation::combine(x.low, x.high));
}

template <class Number>
inline HalvesOfDoubles::Vector filled_up(HalvesOfDoubles::Vector x, std::size_t count,
                                         HalvesOfDoubles::Vector neutral) {
    constexpr std::size_t half = HalvesOfDoubles::lanes / 2;
    return {filled_up<Number>(x.low, count, neutral.low),
            filled_up<Number>(x.high, count < half ? 0 : count - half, neutral.high)};
}

}  // namespace
}  // namespace tenrex::kernels

namespace tenrex::kernels::avx512 {
using LanesOfFloatSums = HalvesOfDoubles;
#include "lib/kernels/reduce/reduce.inc"
}  // namespace tenrex::kernels::avx512
