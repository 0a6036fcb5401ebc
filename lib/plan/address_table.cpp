#include "lib/plan/address_table.h"

#include <algorithm>
#include <bit>

namespace tenrex::plan {

void AddressTable::clear(const Label *labels, std::size_t width, Positions key, std::uint32_t begin,
                         std::uint32_t expected) {
    labels_ = labels;
    width_ = width;
    key_ = key;
    begin_ = begin;
    used_ = 0;
    has_places_ = false;
    make_room(expected);
}

void AddressTable::make_room(std::uint32_t blocks) {
    const std::size_t slots = std::bit_ceil(std::size_t{blocks} * 2 + 2);
    shift_ = static_cast<unsigned>(64 - std::countr_zero(slots));
    mask_ = slots - 1;
    room_ = blocks;
    std::fill_n(slots_.room(slots), slots, Slot{0, none});
    next_.room(blocks);
}

void AddressTable::insert(std::uint32_t block) noexcept {
    const Label *const address = labels_ + block * width_;
    const std::uint64_t code = code_of(address, key_);
    Slot *const slots = slots_.data();
    std::uint64_t slot = place(code);
    while (slots[slot].block != none &&
           (slots[slot].code != code || (key_.size() > 1 && !equal(slots[slot].block, address, key_)))) {
        slot = (slot + 1) & mask_;
    }
    next_.data()[block - begin_] = slots[slot].block;
    slots[slot] = {code, block};
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

}  // namespace tenrex::plan
