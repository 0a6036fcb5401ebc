#include "lib/storage/address_index.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tenrex {

std::uint32_t AddressIndex::hash(std::span<const Label> address) const noexcept {
    // The seed differs from index to index and run to run: nobody can prepare addresses that collide.
    return static_cast<std::uint32_t>(
        XXH3_64bits_withSeed(address.data(), address.size_bytes(), reinterpret_cast<std::uintptr_t>(this)));
}

std::size_t AddressIndex::slot_of(std::uint32_t hash, std::span<const Label> address,
                                  const Label *addresses) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(hash) & mask;
    while (slots_[slot].number != 0) {
        if (slots_[slot].hash == hash &&
            std::equal(address.begin(), address.end(), addresses + std::size_t{slots_[slot].number - 1} * stride_)) {
            break;
        }
        slot = (slot + 1) & mask;
    }
    return slot;
}

void AddressIndex::grow() {
    std::vector<Slot> old(std::max<std::size_t>(16, 2 * slots_.size()));
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot &entry : old) {
        if (entry.number != 0) {
            std::size_t slot = static_cast<std::size_t>(entry.hash) & mask;
            while (slots_[slot].number != 0) {
                slot = (slot + 1) & mask;
            }
            slots_[slot] = entry;
        }
    }
}

std::optional<std::size_t> AddressIndex::find(std::span<const Label> address, const Label *addresses) const noexcept {
    if (slots_.empty()) {
        return std::nullopt;
    }
    const std::uint32_t number = slots_[slot_of(hash(address), address, addresses)].number;
    return number == 0 ? std::nullopt : std::optional(std::size_t{number} - 1);
}

std::size_t AddressIndex::find_or_add(std::span<const Label> address, const Label *addresses, std::size_t block) {
    if (block >= std::numeric_limits<std::uint32_t>::max()) {
        throw std::length_error("too many blocks");
    }
    if (4 * (used_ + 1) > 3 * slots_.size()) {
        grow();
    }
    const std::uint32_t address_hash = hash(address);
    Slot &slot = slots_[slot_of(address_hash, address, addresses)];
    if (slot.number == 0) {
        slot = {address_hash, static_cast<std::uint32_t>(block + 1)};
        ++used_;
    }
    return std::size_t{slot.number} - 1;
}

}  // namespace tenrex
