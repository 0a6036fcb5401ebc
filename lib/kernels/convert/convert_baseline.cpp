#include "lib/kernels/convert/convert-inl.h"

namespace tenrex::kernels::baseline {
#include "lib/kernels/convert/convert.inc"
}  // namespace tenrex::kernels::baseline
