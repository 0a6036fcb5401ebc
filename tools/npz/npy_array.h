// Arrays in the format of numpy: .npy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

namespace tenrex::tool {

struct NpyArray {
    std::string element;  // "f4", "i8", "b1", ...
    std::vector<std::uint64_t> shape;
    std::vector<double> cells;  // the last axis innermost
};

// Errors: bytes that are no such file; elements that are no numbers of at most eight bytes, or in another order of
// bytes; axes in Fortran's order; whole numbers that a double cannot hold.
Result<NpyArray> read_npy(std::string_view bytes);
// Numbers that the element cannot hold are cut off at its ends.
std::string write_npy(const NpyArray &array);

}  // namespace tenrex::tool
