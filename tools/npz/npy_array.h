// Arrays in the format of numpy: .npy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

// The bytes of an array as they stand, read when they are needed.
class NpyView {
public:
    // Errors: bytes that are no such file; elements that are no numbers of at most eight bytes, or in another order of
    // bytes; axes in Fortran's order.
    static Result<NpyView> of(std::string_view bytes);

    std::string_view element() const noexcept { return element_; }
    const std::vector<std::uint64_t> &shape() const noexcept { return shape_; }
    std::uint64_t count() const noexcept { return count_; }
    // Writes the elements from number `first` on. Error: a whole number that a double cannot hold.
    Status copy(std::uint64_t first, std::span<double> into) const;

private:
    std::string_view element_;
    std::size_t element_bytes_ = 0;
    double (*read_)(const char *bytes) = nullptr;
    std::vector<std::uint64_t> shape_;
    std::uint64_t count_ = 0;
    std::string_view cells_;
};

// Errors: those of NpyView.
Result<NpyArray> read_npy(std::string_view bytes);
// Numbers that the element cannot hold are cut off at its ends.
std::string write_npy(const NpyArray &array);

}  // namespace tenrex::tool
