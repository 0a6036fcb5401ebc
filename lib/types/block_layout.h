// Where cells lie in the dense blocks of a type, and labels in its addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/tensor_type.h>

namespace tenrex {

// Cells from one index of the dimension to the next; 0 if the type lacks it or it is mapped.
std::size_t stride_of(const TensorType &type, std::string_view dimension) noexcept;
// The stride of all these dimensions taken as one, if there is such a stride.
std::optional<std::ptrdiff_t> common_stride(const TensorType &type, const std::vector<std::string> &dimensions);
// The cells that these dimensions have together; all of them are indexed.
std::size_t cells_of(const TensorType &type, const std::vector<std::string> &dimensions) noexcept;
// The names in these groups without those of size 1, which do not affect where cells lie.
std::vector<std::string> nontrivial(const TensorType &type, std::initializer_list<std::vector<std::string>> groups);
// The cells in a row, if those of a block that become one when all but the dimensions of `kept` go lie side by side.
std::optional<std::size_t> row_length(const TensorType &type, const TensorType &kept) noexcept;
std::size_t block_bytes(const TensorType &type) noexcept;
// The position of a mapped dimension within addresses.
std::uint16_t label_position(const TensorType &type, std::string_view dimension) noexcept;

}  // namespace tenrex
