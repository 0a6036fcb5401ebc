#include "lib/kernels/forest/block-inl.h"
#include "lib/kernels/forest/count-inl.h"
#include "lib/kernels/forest/rank-inl.h"

namespace tenrex::kernels::avx2 {
namespace {

using Count = CountByHalves;
using Sets = SetsByBits<forest_block>;

void sum_doubles(const ForestBlock &block) {
    sum_block<32, double>(block);
}
void sum_floats(const ForestBlock &block) {
    sum_block<32, float>(block);
}

}  // namespace
#include "lib/kernels/forest/forest.inc"
}  // namespace tenrex::kernels::avx2
