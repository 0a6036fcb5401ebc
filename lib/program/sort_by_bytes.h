// Sorting by whole numbers, of which few are compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tenrex::program {

inline std::size_t byte_of_key(std::uint64_t key, std::size_t byte) noexcept {
    return key >> (8 * byte) & 255;
}

// Moves each item to where those that come before it end, unless more than `moves` are needed in all.
template <class Item, class Key>
bool insert_in_order(std::span<Item> items, const Key &key, std::size_t moves) {
    for (std::size_t i = 1; i < items.size(); ++i) {
        const Item item = items[i];
        std::size_t place = i;
        for (; place > 0 && key(item) < key(items[place - 1]); --place) {
            items[place] = items[place - 1];
        }
        items[place] = item;
        if (i - place > moves) {
            return false;
        }
        moves -= i - place;
    }
    return true;
}

// Copies the items, in the order of one byte of their keys.
template <class Item, class Key>
void distribute(std::span<const Item> items, Item *to, const Key &key, std::size_t byte) {
    std::uint32_t places[256] = {};
    for (const Item &item : items) {
        ++places[byte_of_key(key(item), byte)];
    }
    std::uint32_t next = 0;
    for (std::uint32_t &place : places) {
        next += std::exchange(place, next);
    }
    for (const Item &item : items) {
        to[places[byte_of_key(key(item), byte)]++] = item;
    }
}

// Sorts items by key(item), a whole number of 64 bits. Equal ones keep their order. room: for as many items, which are
// written over.
template <class Item, class Key>
void sort_by_bytes(std::span<Item> items, Item *room, const Key &key) {
    constexpr std::size_t few = 48;  // are compared faster
    if (items.size() <= few) {
        insert_in_order(items, key, few * few);
        return;
    }
    constexpr std::size_t bytes = sizeof(std::uint64_t);
    std::uint64_t differing = 0;
    for (const Item &item : items) {
        differing |= key(item) ^ key(items.front());
    }
    const auto sort_from = [&](std::size_t first) {
        std::span<Item> from = items;
        Item *to = room;
        for (std::size_t byte = first; byte < bytes; ++byte) {
            if (byte_of_key(differing, byte) != 0) {
                distribute<Item>(from, to, key, byte);
                Item *const sorted = std::exchange(to, from.data());
                from = {sorted, items.size()};
            }
        }
        if (from.data() != items.data()) {
            std::copy(from.begin(), from.end(), items.begin());
        }
    };
    // Most items are at their place, or near it, after the three highest bytes that are not the same in all.
    std::size_t first = bytes;
    for (std::size_t found = 0; found < 3 && first > 0;) {
        found += byte_of_key(differing, --first) != 0 ? 1 : 0;
    }
    sort_from(first);
    if (!insert_in_order(items, key, 4 * items.size())) {
        sort_from(0);
    }
}

template <class Item, class Key>
void sort_by_bytes(std::vector<Item> &items, const Key &key) {
    std::vector<Item> room(items.size());
    sort_by_bytes(std::span(items), room.data(), key);
}

}  // namespace tenrex::program
