// Sorting by whole numbers without comparing them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tenrex::program {

// Sorts items by key(item), a whole number of 64 bits. Equal ones keep their order.
template <class Item, class Key>
void sort_by_bytes(std::vector<Item> &items, const Key &key) {
    constexpr std::size_t few = 128;  // are compared faster
    if (items.size() <= few) {
        std::stable_sort(items.begin(), items.end(), [&](const Item &a, const Item &b) { return key(a) < key(b); });
        return;
    }
    constexpr std::size_t bytes = sizeof(std::uint64_t);
    std::array<std::array<std::uint32_t, 256>, bytes> counts{};
    const auto byte_of = [&](const Item &item, std::size_t byte) { return key(item) >> (8 * byte) & 255; };
    for (const Item &item : items) {
        for (std::size_t byte = 0; byte < bytes; ++byte) {
            ++counts[byte][byte_of(item, byte)];
        }
    }
    std::vector<Item> sorted(items.size());
    for (std::size_t byte = 0; byte < bytes; ++byte) {
        if (counts[byte][byte_of(items.front(), byte)] == items.size()) {
            continue;  // all have the same
        }
        std::uint32_t next = 0;
        for (std::uint32_t &count : counts[byte]) {
            next += std::exchange(count, next);
        }
        for (const Item &item : items) {
            sorted[counts[byte][byte_of(item, byte)]++] = item;
        }
        items.swap(sorted);
    }
}

}  // namespace tenrex::program
