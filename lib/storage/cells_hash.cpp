#include "lib/storage/cells_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lib/support/hash_seed.h"

namespace tenrex {

std::array<std::uint64_t, 2> cells_hash(const void *cells, std::size_t bytes) noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(cells, bytes, hash_seed());
    return {hash.low64, hash.high64};
}

}  // namespace tenrex
