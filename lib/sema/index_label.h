// Labels as indexes of indexed dimensions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tenrex::sema {

struct IndexLabel {
    std::uint64_t value = 0;
    std::string problem;  // empty: the label is an index of the dimension
    std::string hint;
};

// True if the label consists of digits, perhaps behind a minus.
bool is_whole_number(std::string_view label) noexcept;

// Of an open dimension: any index may be there.
inline constexpr std::uint64_t open_size = ~std::uint64_t{0};

// Reads a label as an index of an indexed dimension of that size.
IndexLabel index_label(std::string_view label, std::string_view dimension, std::uint64_t size);
// The index that a computed label truncates to.
IndexLabel index_of_number(double number, std::string_view dimension, std::uint64_t size);

// The number truncated to int64, as text; empty if it is out of range or not a number.
std::string label_of_number(double number);

}  // namespace tenrex::sema
