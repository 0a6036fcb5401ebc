// Vectors of floats as int8 or bits.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tenrex::tool {

// int8: whole numbers in the direction of the vector, the largest of them 127 or -127. bits: whether a cell is greater
// than 0, the first one of eight highest; what is left over of the last eight is 0.
enum class VectorCells : std::uint8_t { floats, int8, bits };

// The numbers that become of a vector whose cells are to be int8 or bits.
void append_whole_numbers(std::span<const float> vector, VectorCells cells, std::string &numbers);

}  // namespace tenrex::tool
