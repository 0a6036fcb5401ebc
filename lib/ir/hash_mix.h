// Hashes of what a graph shares.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace tenrex::ir {

template <std::integral Integer>
void mix(std::size_t &hash, Integer value) {
    hash ^= static_cast<std::size_t>(value) + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
}
inline void mix(std::size_t &hash, std::string_view text) {
    mix(hash, std::hash<std::string_view>{}(text));
}
inline void mix(std::size_t &hash, double number) {
    mix(hash, std::bit_cast<std::uint64_t>(number));
}

}  // namespace tenrex::ir
