// What hash tables are seeded with whose keys come from outside.
#pragma once

#include <cstdint>

namespace tenrex {

// A random number, the same as long as the process lives. Nobody outside knows it, so nobody can prepare keys that
// collide. What is computed must not depend on it.
std::uint64_t hash_seed() noexcept;

}  // namespace tenrex
