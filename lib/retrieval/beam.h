// The best nodes that a search has found so far, the nearest first, and which of them it has not looked around yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tenrex::retrieval {

struct Found {
    float key = 0;
    std::uint32_t node = 0;
};

// The nearer first, then the lower number; what is no number is the farthest.
bool is_nearer(const Found &x, const Found &y) noexcept;

class Beam {
public:
    // Keeps that many.
    void begin(std::size_t limit);
    // A key that is not less than that of the last of a full beam is not kept.
    void add(float key, std::uint32_t node);
    // Adds several to a beam that is not empty. Overwrites `keys` and `nodes`.
    void add(float *keys, std::uint32_t *nodes, std::size_t count);
    // The nearest node that was not taken, or false.
    bool take(std::uint32_t &node);

    // All that were kept, in order. Valid until begin() and add().
    std::span<const Found> end();

private:
    static constexpr std::uint32_t taken = std::uint32_t{1} << 31;  // of the number of a node; cleared at the end

    std::vector<Found> entries_;
    std::size_t size_ = 0;
    std::size_t limit_ = 0;
    std::size_t next_ = 0;  // all before it are taken
};

}  // namespace tenrex::retrieval
