#include <bit>
#include <cstdint>

#include <tenrex/tensor.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tenrex {

double string_number(std::string_view text) noexcept {
    constexpr std::uint64_t exponent = std::uint64_t{0x7ff} << 52;
    constexpr std::uint64_t lowest_exponent_bit = std::uint64_t{1} << 52;
    std::uint64_t bits = XXH3_64bits(text.data(), text.size());
    if ((bits & exponent) == exponent) {
        bits &= ~lowest_exponent_bit;
    }
    return std::bit_cast<double>(bits);
}

}  // namespace tenrex
