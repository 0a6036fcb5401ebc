// Sorting by whole numbers against the sort of the standard library.
#include "lib/program/sort_by_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace tenrex::program {
namespace {

struct Item {
    std::uint64_t key = 0;
    std::size_t place = 0;

    friend bool operator==(const Item &, const Item &) = default;
};

std::uint64_t key(const Item &item) {
    return item.key;
}

std::vector<Item> sorted(std::vector<Item> items) {
    std::stable_sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.key < b.key; });
    return items;
}

TEST(SortByBytes, KeepsTheOrderOfEqualKeys) {
    std::mt19937_64 random(3);
    for (const std::uint64_t mask : {std::uint64_t{0}, std::uint64_t{0xff}, std::uint64_t{0xff00ff0000000000},
                                     std::uint64_t{0x8000000000000003}, ~std::uint64_t{0}}) {
        for (const std::size_t count : {0, 1, 2, 47, 48, 49, 50, 500, 3000}) {
            std::vector<Item> items;
            for (std::size_t i = 0; i < count; ++i) {
                items.push_back({random() & mask, i});
            }
            const std::vector<Item> expected = sorted(items);
            sort_by_bytes(items, key);
            EXPECT_EQ(expected, items) << count << " under " << mask;
        }
    }
}

TEST(SortByBytes, FewKeysMayBeFarFromTheOthers) {
    std::mt19937_64 random(4);
    for (const std::size_t count : {49, 200, 5000}) {
        std::vector<Item> items;
        for (std::size_t i = 0; i < count; ++i) {
            items.push_back({i % 50 == 7 ? random() : random() & 0xffff, i});
        }
        const std::vector<Item> expected = sorted(items);
        sort_by_bytes(items, key);
        EXPECT_EQ(expected, items) << count;
    }
}

}  // namespace
}  // namespace tenrex::program
