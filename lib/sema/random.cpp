#include "lib/sema/random.h"

#include <utility>

namespace tenrex::sema {

namespace {

// SplitMix64: a counter and a mixing function.
std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

}  // namespace

Tensor random_tensor(const TensorType &type, std::uint64_t seed, std::uint64_t occurrence) {
    // Only as many bits as the cell type holds: a number just below 1 must not be rounded up to 1.
    const int bits = type.cell_type() == CellType::f64 ? 53 : 24;
    const double scale = 1.0 / static_cast<double>(std::uint64_t{1} << bits);
    std::uint64_t state = mix(seed + step) ^ mix(occurrence + 2 * step);
    TensorBuilder builder(type);
    for (std::size_t i = 0; i < type.block_cells(); ++i) {
        state += step;
        builder.set(0, i, static_cast<double>(mix(state) >> (64 - bits)) * scale);
    }
    return std::move(builder).build();
}

double random_number(std::uint64_t seed, std::uint64_t document, std::string_view name) noexcept {
    std::uint64_t stream = seed + step;
    for (const char c : name) {
        stream = mix(stream ^ static_cast<unsigned char>(c));
    }
    constexpr int bits = 53;
    const double scale = 1.0 / static_cast<double>(std::uint64_t{1} << bits);
    return static_cast<double>(mix(mix(stream) + (document + 1) * step) >> (64 - bits)) * scale;
}

}  // namespace tenrex::sema
