#include "lib/retrieval/bit_planes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

namespace tenrex::retrieval {

namespace {

constexpr std::size_t byte_bits = 8;
constexpr int codes = 1 << bit_planes;
constexpr float middle_code = static_cast<float>(codes) / 2;
// Half of what lies between two of sixteen levels where the numbers of a normal distribution are nearest to theirs, as
// a part of the deviation (J. Max, Quantizing for minimum distortion, 1960).
constexpr float best_step = 0.1676F;

// The sum of what `of` makes of each number, in eight sums beside each other: the compiler may not reorder one.
template <class Of>
float sum(std::span<const float> vector, Of of) noexcept {
    constexpr std::size_t lanes = 8;
    std::array<float, lanes> sums{};
    std::size_t i = 0;
    for (; vector.size() - i >= lanes; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sums[lane] += of(vector[i + lane]);
        }
    }
    for (; i < vector.size(); ++i) {
        sums[i % lanes] += of(vector[i]);
    }
    return std::accumulate(sums.begin(), sums.end(), 0.0F);
}

float square_of(std::span<const float> vector) noexcept {
    return sum(vector, [](float value) { return value * value; });
}

// Codes 0 to 15 for levels -15 to 15.
int code_of(float value, float reciprocal) noexcept {
    return static_cast<int>(std::clamp(value * reciprocal * 0.5F + middle_code, 0.0F, codes - 0.5F));
}

// The square of what the levels leave out.
float error_of(std::span<const float> vector, float step) noexcept {
    return sum(vector, [step, reciprocal = 1 / step](float value) {
        const float left = value - step * static_cast<float>(2 * code_of(value, reciprocal) - (codes - 1));
        return left * left;
    });
}

// The bits that are the lowest of eight bytes as one, the first byte's the highest.
std::uint8_t gather_bits(std::uint64_t bytes) noexcept {
    constexpr std::uint64_t lowest = 0x0101010101010101;
    constexpr std::uint64_t places = 0x8040201008040201;
    return static_cast<std::uint8_t>((bytes & lowest) * places >> 56U);
}

}  // namespace

void write_signs(std::span<const float> vector, std::uint8_t *cells) noexcept {
    for (std::size_t i = 0; i < vector.size(); ++i) {
        cells[i / byte_bits] =
            static_cast<std::uint8_t>(cells[i / byte_bits] | (vector[i] > 0 ? 0x80U >> i % byte_bits : 0U));
    }
}

RowScale scale_of_signs(std::span<const float> vector) noexcept {
    const float magnitudes = sum(vector, [](float value) { return std::fabs(value); });
    const float square = square_of(vector);
    return {magnitudes > 0 ? square / magnitudes : 0, square};
}

RowScale write_planes(std::span<const float> vector, std::size_t stride, std::uint8_t *planes) noexcept {
    std::memset(planes, 0, bit_planes * stride);
    float largest = 0;
    for (const float value : vector) {
        largest = std::max(largest, std::fabs(value));
    }
    const float square = square_of(vector);
    // A few numbers that are much larger than the others are cut off, or all others have few levels: what costs less.
    const float narrow = best_step * std::sqrt(square / static_cast<float>(vector.size()));
    const float wide = largest / largest_level;
    if (!std::isnormal(narrow) || !std::isnormal(1 / narrow)) {
        return {0, square};
    }
    const float step = wide <= narrow || error_of(vector, wide) < error_of(vector, narrow) ? wide : narrow;
    const float reciprocal = 1 / step;
    for (std::size_t i = 0; i < vector.size(); i += byte_bits) {
        std::array<std::uint8_t, byte_bits> bytes{};
        const std::size_t count = std::min(byte_bits, vector.size() - i);
        for (std::size_t k = 0; k < count; ++k) {
            bytes[k] = static_cast<std::uint8_t>(code_of(vector[i + k], reciprocal));
        }
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof(word));
        for (std::size_t plane = 0; plane < bit_planes; ++plane) {
            planes[plane * stride + i / byte_bits] = gather_bits(word >> plane);
        }
    }
    return {step, square};
}

}  // namespace tenrex::retrieval
