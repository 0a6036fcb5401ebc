#include <immintrin.h>

#include "lib/kernels/forest/block-inl.h"
#include "lib/kernels/forest/count-inl.h"
#include "lib/kernels/forest/sets-inl.h"

namespace tenrex::kernels::avx2 {
namespace {

using Count = CountByHalves;
struct Lookup {
    typedef std::uint8_t V __attribute__((vector_size(32), may_alias));
    static V find(const std::uint8_t *table, V indexes) {
        const __m256i both = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i *>(table)));
        // The highest bit of an index from 16 on gives 0.
        const __m256i of = _mm256_adds_epu8(__builtin_bit_cast(__m256i, indexes), _mm256_set1_epi8(0x70));
        return __builtin_bit_cast(V, _mm256_shuffle_epi8(both, of));
    }
};
using Sets = SetsByLookup<Lookup>;

void sum_doubles(const ForestBlock &block) {
    sum_block<32, double>(block);
}
void sum_floats(const ForestBlock &block) {
    sum_block<32, float>(block);
}

}  // namespace
#include "lib/kernels/forest/forest.inc"
}  // namespace tenrex::kernels::avx2
