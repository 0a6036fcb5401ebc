#include "tools/embed/whole_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tenrex::tool {

namespace {

void append_bits(std::span<const float> vector, std::string &numbers) {
    for (std::size_t at = 0; at < vector.size(); at += 8) {
        unsigned byte = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            byte = 2 * byte + (at + i < vector.size() && vector[at + i] > 0 ? 1U : 0U);
        }
        numbers += static_cast<char>(static_cast<unsigned char>(byte));
    }
}

void append_int8(std::span<const float> vector, std::string &numbers) {
    constexpr double largest_number = 127;
    double largest = 0;
    for (const float cell : vector) {
        largest = std::isfinite(cell) ? std::max(largest, std::abs(static_cast<double>(cell))) : largest;
    }
    for (const float cell : vector) {
        const double number = largest > 0 && !std::isnan(cell) ? cell / largest * largest_number : 0;
        const double rounded = std::nearbyint(std::clamp(number, -largest_number, largest_number));
        numbers += static_cast<char>(static_cast<signed char>(rounded));
    }
}

}  // namespace

void append_whole_numbers(std::span<const float> vector, VectorCells cells, std::string &numbers) {
    cells == VectorCells::bits ? append_bits(vector, numbers) : append_int8(vector, numbers);
}

}  // namespace tenrex::tool
