// A hash table from 32-bit keys to 32-bit values in one array: a graph of a hundred thousand nodes asks it all the
// time, and entries that are allocated one by one are a cache miss each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tenrex {

// 64 bits as a key.
constexpr std::uint32_t folded(std::uint64_t bits) noexcept {
    return static_cast<std::uint32_t>((bits * 0x9e3779b97f4a7c15) >> 32);
}

class IdMap {
public:
    // A value of the key that accept(value) is true for.
    template <class Accept>
    std::optional<std::uint32_t> find(std::uint32_t key, const Accept &accept) const {
        if (slots_.empty()) {
            return std::nullopt;
        }
        for (std::size_t at = place(key); slots_[at].value != none; at = (at + 1) % slots_.size()) {
            if (slots_[at].key == key && accept(slots_[at].value)) {
                return slots_[at].value;
            }
        }
        return std::nullopt;
    }
    std::optional<std::uint32_t> find(std::uint32_t key) const {
        return find(key, [](std::uint32_t) { return true; });
    }

    // Another value of the key. All numbers but the largest may be one.
    void add(std::uint32_t key, std::uint32_t value) {
        if (2 * size_ >= slots_.size()) {
            resize(slots_.empty() ? smallest : 4 * slots_.size());
        }
        ++size_;
        insert({key, value});
    }

    // Makes room for so many values.
    void reserve(std::size_t values) {
        if (2 * values > slots_.size()) {
            resize(std::bit_ceil(std::max(smallest, 2 * values)));
        }
    }

    std::size_t size() const noexcept { return size_; }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t smallest = 32;  // slots
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t value = none;
    };

    // The sizes are powers of two.
    std::size_t place(std::uint32_t key) const noexcept {
        return (key * std::uint64_t{0x9e3779b97f4a7c15}) >> (64 - std::countr_zero(slots_.size()));
    }
    void insert(Slot slot) {
        std::size_t at = place(slot.key);
        while (slots_[at].value != none) {
            at = (at + 1) % slots_.size();
        }
        slots_[at] = slot;
    }
    void resize(std::size_t slots) {
        std::vector<Slot> old(slots);
        old.swap(slots_);
        for (const Slot &slot : old) {
            if (slot.value != none) {
                insert(slot);
            }
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

}  // namespace tenrex
