#include "lib/support/hash_seed.h"

#include <chrono>
#include <exception>
#include <random>

namespace tenrex {

namespace {

std::uint64_t random_number() noexcept {
    try {
        std::random_device device;
        return (std::uint64_t{device()} << 32) | device();
    } catch (const std::exception &) {
        // Without a source of random numbers: what can at least not be looked up.
        const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
        return now * 0x9e3779b97f4a7c15 ^ reinterpret_cast<std::uintptr_t>(&now);
    }
}

}  // namespace

std::uint64_t hash_seed() noexcept {
    static const std::uint64_t seed = random_number();
    return seed;
}

}  // namespace tenrex
