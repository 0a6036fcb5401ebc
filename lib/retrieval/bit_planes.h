// Vectors of which only the signs are kept, as bits, and those that are compared with them, which keep four bits of a
// number. Each of these bits is a plane, a row of bits like that of the signs. With levels u of the one vector, odd
// whole numbers from -15 to 15, and signs s of the other, the sum of u*s is 15 times the number of cells less twice the
// sum of the Hamming distances of the planes, where a plane counts twice what the one before counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/retrieval/row_scale.h"

namespace tenrex::retrieval {

inline constexpr std::size_t bit_planes = 4;
inline constexpr float largest_level = 15;

// Whether each number is above 0: eight to a byte, the first to its highest bit, as the language packs bits.
void write_signs(std::span<const float> vector, std::uint8_t *cells) noexcept;

// The factor makes the sum of numbers, each with the sign of one of the vector, their dot product: exactly so for the
// vector itself (J. Gao, C. Long, RaBitQ, 2024).
RowScale scale_of_signs(std::span<const float> vector) noexcept;

// The planes, each of `stride` bytes with zeros behind the last bit. The factor is what levels are multiplied by.
RowScale write_planes(std::span<const float> vector, std::size_t stride, std::uint8_t *planes) noexcept;

}  // namespace tenrex::retrieval
