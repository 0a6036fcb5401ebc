#include "lib/kernels/forest/block-inl.h"
#include "lib/kernels/forest/count-inl.h"
#include "lib/kernels/forest/rank-inl.h"

namespace tenrex::kernels::baseline {
namespace {

using Count = CountByHalves;
using Sets = SetsByBits<forest_block>;

void sum_doubles(const ForestBlock &block) {
    sum_block<16, double>(block);
}
void sum_floats(const ForestBlock &block) {
    sum_block<16, float>(block);
}

}  // namespace
#include "lib/kernels/forest/forest.inc"
}  // namespace tenrex::kernels::baseline
