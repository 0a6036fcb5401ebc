#include "lib/kernels/reduce/reduce-inl.h"
#include "lib/kernels/simd/baseline-inl.h"

namespace tenrex::kernels::baseline {
namespace {

template <class C>
using LanesOfSums = Doubles;

}  // namespace
#include "lib/kernels/reduce/reduce.inc"
}  // namespace tenrex::kernels::baseline
