// Sorting by whole numbers against the sort of the standard library.
#include "lib/program/forest/sort_by_bytes.h"

#include <gtest/gtest.h>

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

TEST(SortByBytes, KeepsTheOrderOfEqualKeys) {
    std::mt19937_64 random(3);
    const auto key = [](const Item &item) { return item.key; };
    for (const std::uint64_t mask : {std::uint64_t{0}, std::uint64_t{0xff}, std::uint64_t{0xff00ff0000000000},
                                     std::uint64_t{0x8000000000000003}, ~std::uint64_t{0}}) {
        for (const std::size_t count : {0, 1, 2, 127, 128, 129, 500, 3000}) {
            std::vector<Item> items;
            for (std::size_t i = 0; i < count; ++i) {
                items.push_back({random() & mask, i});
            }
            std::vector<Item> expected = items;
            std::stable_sort(expected.begin(), expected.end(),
                             [&](const Item &a, const Item &b) { return a.key < b.key; });
            sort_by_bytes(items, key);
            EXPECT_EQ(expected, items) << count << " under " << mask;
        }
    }
}

}  // namespace
}  // namespace tenrex::program
