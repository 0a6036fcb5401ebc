#include "lib/kernels/forest/block512-inl.h"
#include "lib/kernels/forest/rank-inl.h"
#include "lib/kernels/forest/sets512-inl.h"

namespace tenrex::kernels::avx512 {
namespace {

using Count = Count512;
using Sets = Sets512;

void sum_doubles(const ForestBlock &block) {
    sum_block<Doubles512>(block);
}
void sum_floats(const ForestBlock &block) {
    sum_block<Floats512>(block);
}

}  // namespace
#include "lib/kernels/forest/forest.inc"
}  // namespace tenrex::kernels::avx512
