#include "lib/kernels/convert/convert-inl.h"

namespace tenrex::kernels::avx2 {
#include "lib/kernels/convert/convert.inc"
}  // namespace tenrex::kernels::avx2
