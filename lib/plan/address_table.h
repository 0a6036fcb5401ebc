// Finds the blocks of a value by some of their labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tenrex/label.h>

#include "lib/plan/growing.h"

namespace tenrex::plan {

// Positions of labels within an address.
using Positions = std::span<const std::uint16_t>;

// A hash table over the labels at some positions, the key, of blocks [begin, end). It can be built again and again
// without allocating, once it has been as large.
class AddressTable {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // labels: `width` for each block, from block 0 on; they must stay in place while the table is used.
    void build(const Label *labels, std::size_t width, Positions key, std::uint32_t begin, std::uint32_t end);
    // Holds no block yet: then add() adds them, each number from `begin` on once, in any order up to `expected` blocks
    // and one after the other beyond.
    void clear(const Label *labels, std::size_t width, Positions key, std::uint32_t begin, std::uint32_t expected);
    void add(std::uint32_t block);
    // The labels have moved.
    void moved(const Label *labels) noexcept { labels_ = labels; }

    // The first block whose key equals the labels of `address` at `positions`, in the order of the key; or none.
    std::uint32_t first(const Label *address, Positions positions) const noexcept;
    // The next block with the same key, or none.
    std::uint32_t next(std::uint32_t block) const noexcept { return next_.data()[block - begin_]; }

    std::size_t memory_bytes() const noexcept { return slots_.memory_bytes() + next_.memory_bytes(); }

private:
    std::uint64_t hash(const Label *address, Positions positions) const noexcept;
    void make_room(std::uint32_t blocks);
    void insert(std::uint32_t block) noexcept;
    bool equal(std::uint32_t block, const Label *address, Positions positions) const noexcept;

    const Label *labels_ = nullptr;
    std::size_t width_ = 0;
    Positions key_;
    std::uint32_t begin_ = 0;
    std::uint32_t used_ = 0;
    std::uint32_t room_ = 0;  // for blocks
    unsigned shift_ = 63;     // of a hash to a slot
    std::uint64_t mask_ = 0;
    Growing<std::uint32_t> slots_;  // open addressing: the first block with a key, or none
    Growing<std::uint32_t> next_;   // by block: the next one with the same key
};

}  // namespace tenrex::plan
