#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "lib/kernels/forest/block-inl.h"
#include "lib/kernels/forest/count-inl.h"
#include "lib/kernels/forest/sets-inl.h"

namespace tenrex::kernels::baseline {
namespace {

using Count = CountByHalves;
#if defined(__aarch64__)
struct Lookup {
    typedef std::uint8_t V __attribute__((vector_size(16), may_alias));
    static V find(const std::uint8_t *table, V indexes) {
        return __builtin_bit_cast(V, vqtbl1q_u8(vld1q_u8(table), __builtin_bit_cast(uint8x16_t, indexes)));
    }
};
using Sets = SetsByLookup<Lookup>;
#else
using Sets = SetsByBits;
#endif

void sum_doubles(const ForestBlock &block) {
    sum_block<16, double>(block);
}
void sum_floats(const ForestBlock &block) {
    sum_block<16, float>(block);
}

}  // namespace
#include "lib/kernels/forest/forest.inc"
}  // namespace tenrex::kernels::baseline
