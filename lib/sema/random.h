// The numbers of random(...) and of the feature `random`.
#pragma once

#include <cstdint>
#include <string_view>

#include <tenrex/tensor.h>

namespace tenrex::sema {

// A dense tensor of uniform numbers from 0 to below 1. They depend on the seed and on which call of random(...) in the
// expression this is, not on the machine: cell i is number i of the stream that begins at a hash of both.
Tensor random_tensor(const TensorType &type, std::uint64_t seed, std::uint64_t occurrence);

// A uniform number from 0 to below 1 for a document; another name gives another one.
double random_number(std::uint64_t seed, std::uint64_t document, std::string_view name) noexcept;

}  // namespace tenrex::sema
