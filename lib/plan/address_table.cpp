#include "lib/plan/address_table.h"

#include <algorithm>
#include <bit>

namespace tenrex::plan {

std::uint64_t AddressTable::hash(const Label *address, Positions positions) const noexcept {
    std::uint64_t hash = 0;
    for (const std::uint16_t position : positions) {
        hash = (hash ^ static_cast<std::uint64_t>(address[position])) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
    }
    return hash * 0x9e3779b97f4a7c15;
}

bool AddressTable::equal(std::uint32_t block, const Label *address, Positions positions) const noexcept {
    const Label *const own = labels_ + block * width_;
    for (std::size_t i = 0; i < key_.size(); ++i) {
        if (own[key_[i]] != address[positions[i]]) {
            return false;
        }
    }
    return true;
}

void AddressTable::clear(const Label *labels, std::size_t width, Positions key, std::uint32_t begin,
                         std::uint32_t expected) {
    labels_ = labels;
    width_ = width;
    key_ = key;
    begin_ = begin;
    used_ = 0;
    make_room(expected);
}

void AddressTable::make_room(std::uint32_t blocks) {
    const std::size_t slots = std::bit_ceil(std::size_t{blocks} * 2 + 2);
    shift_ = static_cast<unsigned>(64 - std::countr_zero(slots));
    mask_ = slots - 1;
    room_ = blocks;
    std::fill_n(slots_.room(slots), slots, none);
    next_.room(blocks);
}

void AddressTable::insert(std::uint32_t block) noexcept {
    const Label *const address = labels_ + block * width_;
    std::uint64_t slot = hash(address, key_) >> shift_;
    std::uint32_t *const slots = slots_.data();
    while (slots[slot] != none && !equal(slots[slot], address, key_)) {
        slot = (slot + 1) & mask_;
    }
    next_.data()[block - begin_] = slots[slot];
    slots[slot] = block;
}

void AddressTable::add(std::uint32_t block) {
    if (used_ == room_) {
        make_room(2 * room_ + 2);
        for (std::uint32_t known = begin_; known < begin_ + used_; ++known) {
            insert(known);
        }
    }
    insert(block);
    ++used_;
}

void AddressTable::build(const Label *labels, std::size_t width, Positions key, std::uint32_t begin,
                         std::uint32_t end) {
    clear(labels, width, key, begin, end - begin);
    // Backwards, because add() puts a block in front of those with its key: they come out in the order of the blocks.
    for (std::uint32_t block = end; block-- > begin;) {
        add(block);
    }
}

std::uint32_t AddressTable::first(const Label *address, Positions positions) const noexcept {
    std::uint64_t slot = hash(address, positions) >> shift_;
    const std::uint32_t *const slots = slots_.data();
    while (slots[slot] != none && !equal(slots[slot], address, positions)) {
        slot = (slot + 1) & mask_;
    }
    return slots[slot];
}

}  // namespace tenrex::plan
