// Finds the blocks of a value by some of their labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tenrex/label.h>

#include "lib/program/growing.h"
#include "lib/program/sparse/label_places.h"
#include "lib/support/hash_seed.h"

namespace tenrex::program {

// Positions of labels within an address.
using Positions = std::span<const std::uint16_t>;

// A hash table over the labels at some positions, the key, of blocks [begin, end). It can be built again and again
// without allocating, once it has been as large.
//
// Labels come from outside. Whichever they are, no search reads more than `most_searched` slots: keys that would need
// more are laid out again by a hash function with the seed. What is found does not depend on that.
class AddressTable {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    // Of keys that nobody prepared, even of 2^32 of them, hardly any is that far from where it should be.
    static constexpr unsigned most_searched = 128;

    explicit AddressTable(std::uint64_t seed = hash_seed()) noexcept : seed_(seed) {}

    // labels: `width` for each block, from block 0 on; they must stay in place while the table is used.
    void build(const Label *labels, std::size_t width, Positions key, std::uint32_t begin, std::uint32_t end);
    // Holds no block yet: then add() adds them, each number from `begin` on once, in any order up to `expected` blocks
    // and one after the other beyond.
    void clear(const Label *labels, std::size_t width, Positions key, std::uint32_t begin, std::uint32_t expected);
    void add(std::uint32_t block);
    // After build() with one label per address, which is the key: places of the labels, if they can be laid out. Worth
    // it only if they are to be looked up in many documents.
    void make_places(std::uint32_t count) { has_places_ = begin_ == 0 && places_.build(labels_, count); }
    const LabelPlaces *places() const noexcept { return has_places_ ? &places_ : nullptr; }
    // The labels have moved.
    void moved(const Label *labels) noexcept { labels_ = labels; }

    // The first block whose key equals the labels of `address` at `positions`, in the order of the key; or none.
    std::uint32_t first(const Label *address, Positions positions) const noexcept {
        const std::uint64_t code = code_of(address, positions);
        const Slot *const slots = slots_.data();
        std::uint64_t slot = place(code);
        // Most searches end here; the others are no part of whoever looks something up.
        for (unsigned read = 0; read < few_searched; ++read) {
            if (ends_at(slots[slot], code, address, positions)) {
                return slots[slot].block;
            }
            slot = (slot + 1) & mask_;
        }
        return first_beyond(slot, code, address, positions);
    }
    // The next block with the same key, or none.
    std::uint32_t next(std::uint32_t block) const noexcept { return next_.data()[block - begin_]; }

    std::size_t memory_bytes() const noexcept {
        return slots_.memory_bytes() + seeded_slots_.memory_bytes() + next_.memory_bytes() + heads_.memory_bytes() +
               places_.memory_bytes();
    }
    // How many slots a search for what is there reads at the most.
    std::size_t longest_search() const noexcept;

    // Its memory counts in the budget from now on.
    void count_in(MemoryBudget &budget) noexcept {
        slots_.count_in(budget);
        seeded_slots_.count_in(budget);
        next_.count_in(budget);
        heads_.count_in(budget);
        places_.count_in(budget);
    }
    // Gives the memory back; then the table has to be built again.
    void release() noexcept {
        slots_.release();
        seeded_slots_.release();
        next_.release();
        heads_.release();
        places_.release();
    }

private:
    // The code of a key is its label, or a hash of its labels: most keys are told apart without looking at the labels.
    struct Slot {
        std::uint64_t code;
        std::uint32_t block;  // the first one with the key, or none
    };
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio

    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
    static constexpr unsigned few_searched = 4;

    static std::uint64_t code_of(const Label *address, Positions positions) noexcept {
        if (positions.size() == 1) {
            return static_cast<std::uint64_t>(address[positions[0]]);
        }
        std::uint64_t code = 0;
        for (const std::uint16_t position : positions) {
            code = (code ^ static_cast<std::uint64_t>(address[position])) * golden;
            code ^= code >> 29;
        }
        return code;
    }
    // Neighbouring numbers, such as labels often are, come to lie far apart. With a random factor they would now and
    // then lie side by side.
    std::uint64_t place(std::uint64_t code) const noexcept { return (code * golden) >> shift_; }
    std::uint64_t seeded_code(const Label *address, Positions positions) const noexcept;
    std::uint64_t seeded_place(std::uint64_t code) const noexcept;

    // A search ends where the key is, or where it would be.
    bool ends_at(const Slot &slot, std::uint64_t code, const Label *address, Positions positions) const noexcept {
        return slot.block == none || (slot.code == code && (key_.size() == 1 || equal(slot.block, address, positions)));
    }
    // Where the search ends that begins in a slot; nowhere if it would read too many.
    std::uint64_t search(const Slot *slots, std::uint64_t mask, std::uint64_t slot, std::uint64_t code,
                         const Label *address, Positions positions) const noexcept {
        for (unsigned read = 1; !ends_at(slots[slot], code, address, positions); ++read) {
            if (read == most_searched) {
                return nowhere;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }
    // Where the first slots that were looked at have other keys.
    std::uint32_t first_beyond(std::uint64_t slot, std::uint64_t code, const Label *address,
                               Positions positions) const noexcept;
    bool equal(std::uint32_t block, const Label *address, Positions positions) const noexcept {
        const Label *const own = labels_ + block * width_;
        for (std::size_t i = 0; i < key_.size(); ++i) {
            if (own[key_[i]] != address[positions[i]]) {
                return false;
            }
        }
        return true;
    }
    void clear_slots(std::size_t count);
    void clear_seeded_slots(std::size_t count);
    bool insert(std::uint32_t block) noexcept;
    bool insert_seeded(std::uint32_t block) noexcept;
    void grow();
    void seed();

    const Label *labels_ = nullptr;
    std::size_t width_ = 0;
    Positions key_;
    std::uint32_t begin_ = 0;
    std::uint32_t used_ = 0;
    std::uint32_t room_ = 0;  // for blocks
    unsigned shift_ = 63;     // of a product to a slot
    std::uint64_t mask_ = 0;
    Growing<Slot> slots_;          // open addressing
    Growing<std::uint32_t> next_;  // by block: the next one with the same key

    // With a seed, the keys are in other slots. No search ends in the first ones then, which costs those nothing that
    // need no seed.
    bool is_seeded_ = false;
    std::uint64_t seed_ = 0;
    std::uint64_t factors_[3] = {};
    unsigned seeded_shift_ = 63;
    std::uint64_t seeded_mask_ = 0;
    Growing<Slot> seeded_slots_;
    Growing<std::uint32_t> heads_;  // while keys are laid out again: the first block of each

    LabelPlaces places_;  // of blocks from 0 on
    bool has_places_ = false;
};

}  // namespace tenrex::program
