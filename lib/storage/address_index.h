// Finds blocks by their addresses: a hash table of block numbers beside an array of addresses that grows. Its slots are
// small, because looking into one is a cache miss in a large table; so it holds less than 2^32 blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tenrex/label.h>

namespace tenrex {

class AddressIndex {
public:
    // stride: labels from one address to the next in the array of addresses. An address that is looked for may be
    // shorter, but all that are must have the same number of labels, at least 1.
    explicit AddressIndex(std::size_t stride) noexcept : stride_(stride) {}

    // The number of the block that was added with that address; `addresses` begins with the address of block 0.
    std::optional<std::size_t> find(std::span<const Label> address, const Label *addresses) const noexcept;
    // The same; if there is none, adds `block`, whose address must then come to stand in the array.
    // Throws std::length_error if there are too many.
    std::size_t find_or_add(std::span<const Label> address, const Label *addresses, std::size_t block);

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;  // of the block, counted from 1; 0: the slot is free
    };
    std::uint32_t hash(std::span<const Label> address) const noexcept;
    std::size_t slot_of(std::uint32_t hash, std::span<const Label> address, const Label *addresses) const noexcept;
    void grow();

    std::size_t stride_;
    std::size_t used_ = 0;
    std::vector<Slot> slots_;  // open addressing; the size is a power of two
};

}  // namespace tenrex
