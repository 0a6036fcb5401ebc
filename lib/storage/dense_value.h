// Values made of the bytes of their cells.
#pragma once

#include <cstddef>
#include <string_view>

#include <tenrex/result.h>
#include <tenrex/tensor.h>

namespace tenrex {

// A value of a type without mapped dimensions. The number of bytes tells the size of an open dimension, if there is
// one.
Result<Tensor> from_cells(std::string_view type, const void *cells, std::size_t bytes);

}  // namespace tenrex
