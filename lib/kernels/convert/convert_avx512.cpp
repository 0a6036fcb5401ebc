#include "lib/kernels/convert/convert-inl.h"

namespace tenrex::kernels::avx512 {
#include "lib/kernels/convert/convert.inc"
}  // namespace tenrex::kernels::avx512
