#include "lib/program/sparse/address_table.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tenrex::program {

namespace {

__extension__ using Product = unsigned __int128;

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) noexcept {
    const Product product = static_cast<Product>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::size_t slots_for(std::uint32_t blocks) noexcept {
    return std::bit_ceil(std::size_t{blocks} * 2 + 2);
}

}  // namespace

std::uint64_t AddressTable::seeded_code(const Label *address, Positions positions) const noexcept {
    if (positions.size() == 1) {
        return code_of(address, positions);
    }
    std::uint64_t code = factors_[0];
    for (const std::uint16_t position : positions) {
        code = folded_product(code ^ static_cast<std::uint64_t>(address[position]), factors_[1]);
    }
    return code;
}

std::uint64_t AddressTable::seeded_place(std::uint64_t code) const noexcept {
    return folded_product(folded_product(code ^ factors_[0], factors_[1]), factors_[2]) >> seeded_shift_;
}

std::uint32_t AddressTable::first_beyond(std::uint64_t slot, std::uint64_t code, const Label *address,
                                         Positions positions) const noexcept {
    const Slot *slots = slots_.data();
    std::uint64_t mask = mask_;
    if (is_seeded_) {
        slots = seeded_slots_.data();
        mask = seeded_mask_;
        code = seeded_code(address, positions);
        slot = seeded_place(code);
    }
    const std::uint64_t found = search(slots, mask, slot, code, address, positions);
    return found == nowhere ? none : slots[found].block;
}

void AddressTable::clear(const Label *labels, std::size_t width, Positions key, std::uint32_t begin,
                         std::uint32_t expected) {
    labels_ = labels;
    width_ = width;
    key_ = key;
    begin_ = begin;
    used_ = 0;
    has_places_ = false;
    is_seeded_ = false;
    room_ = expected;
    next_.room(expected);
    clear_slots(slots_for(expected));
}

void AddressTable::clear_slots(std::size_t count) {
    shift_ = static_cast<unsigned>(64 - std::countr_zero(count));
    mask_ = count - 1;
    std::fill_n(slots_.room(count), count, Slot{0, none});
}

void AddressTable::clear_seeded_slots(std::size_t count) {
    seeded_shift_ = static_cast<unsigned>(64 - std::countr_zero(count));
    seeded_mask_ = count - 1;
    std::fill_n(seeded_slots_.room(count), count, Slot{0, none});
}

// False if its slot would be too far away.
inline bool AddressTable::insert(std::uint32_t block) noexcept {
    const Label *const address = labels_ + block * width_;
    const std::uint64_t code = code_of(address, key_);
    Slot *const slots = slots_.data();
    const std::uint64_t slot = search(slots, mask_, place(code), code, address, key_);
    if (slot == nowhere) [[unlikely]] {
        return false;
    }
    next_.data()[block - begin_] = slots[slot].block;
    slots[slot] = {code, block};
    return true;
}

bool AddressTable::insert_seeded(std::uint32_t block) noexcept {
    const Label *const address = labels_ + block * width_;
    const std::uint64_t code = seeded_code(address, key_);
    Slot *const slots = seeded_slots_.data();
    const std::uint64_t slot = search(slots, seeded_mask_, seeded_place(code), code, address, key_);
    if (slot == nowhere) {
        return false;
    }
    next_.data()[block - begin_] = slots[slot].block;
    slots[slot] = {code, block};
    return true;
}

// Lays the keys out by a seed, or by the next one. Blocks with the same key stay in their order: only the first of them
// is in the slots.
[[gnu::noinline]] void AddressTable::seed() {
    const Growing<Slot> &old = is_seeded_ ? seeded_slots_ : slots_;
    const std::uint64_t old_mask = is_seeded_ ? seeded_mask_ : mask_;
    std::uint32_t *const heads = heads_.room(used_);
    std::uint32_t count = 0;
    for (std::uint64_t slot = 0; slot <= old_mask; ++slot) {
        if (old.data()[slot].block != none) {
            heads[count++] = old.data()[slot].block;
        }
    }
    if (!is_seeded_) {
        // Codes 0 and 1 have their places in slots 0 and 1: changed over, no code is found where it belongs.
        clear_slots(2);
        static_assert((golden >> 63) == 1);
        slots_.data()[0] = {1, 0};
        slots_.data()[1] = {0, 0};
        is_seeded_ = true;
    }
    const auto insert_head = [&](std::uint32_t block) {
        std::uint32_t &next = next_.data()[block - begin_];
        const std::uint32_t after = next;
        const bool inserted = insert_seeded(block);
        next = after;
        return inserted;
    };
    for (std::size_t slots = slots_for(room_);; slots *= 2) {
        for (std::uint64_t &factor : factors_) {
            seed_ += golden;
            factor = folded_product(folded_product(seed_ | 1, 0xd6e8feb86659fd93), 0xa0761d6478bd642f ^ seed_) | 1;
        }
        clear_seeded_slots(slots);
        if (std::all_of(heads, heads + count, insert_head)) {
            return;
        }
    }
}

[[gnu::noinline]] void AddressTable::grow() {
    room_ = 2 * room_ + 2;
    next_.grow(room_, used_);
    if (is_seeded_) {
        seed();
        return;
    }
    clear_slots(slots_for(room_));
    const std::uint32_t used = std::exchange(used_, 0);
    for (std::uint32_t block = begin_; block < begin_ + used; ++block) {
        add(block);
    }
}

void AddressTable::add(std::uint32_t block) {
    if (used_ == room_) [[unlikely]] {
        grow();
    }
    while (is_seeded_ || !insert(block))
        [[unlikely]] {
            if (is_seeded_ && insert_seeded(block)) {
                break;
            }
            seed();
        }
    ++used_;
}

std::size_t AddressTable::longest_search() const noexcept {
    const Slot *const slots = is_seeded_ ? seeded_slots_.data() : slots_.data();
    const std::uint64_t mask = is_seeded_ ? seeded_mask_ : mask_;
    std::size_t longest = 0;
    for (std::uint64_t slot = 0; slot <= mask; ++slot) {
        if (const Slot &found = slots[slot]; found.block != none) {
            const std::uint64_t wanted = is_seeded_ ? seeded_place(found.code) : place(found.code);
            longest = std::max<std::size_t>(longest, ((slot - wanted) & mask) + 1);
        }
    }
    return longest;
}

void AddressTable::build(const Label *labels, std::size_t width, Positions key, std::uint32_t begin,
                         std::uint32_t end) {
    clear(labels, width, key, begin, end - begin);
    // Backwards, because each block is put in front of those with its key: they come out in the order of the blocks.
    std::uint32_t block = end;
    while (block != begin && insert(block - 1)) {
        --block;
    }
    used_ = end - block;
    while (block != begin) {
        add(--block);
    }
}

}  // namespace tenrex::program
