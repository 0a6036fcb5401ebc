// Blocks are found by their labels.
#include "lib/program/sparse/address_table.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::program {
namespace {

std::vector<std::uint32_t> all_of(const AddressTable &table, const std::vector<Label> &address,
                                  const std::vector<std::uint16_t> &positions) {
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t block = table.first(address.data(), positions); block != AddressTable::none;
         block = table.next(block)) {
        blocks.push_back(block);
    }
    return blocks;
}

TEST(AddressTable, FindsEveryBlockWithTheKeyInOrder) {
    std::mt19937_64 random(1);
    for (const std::size_t blocks : {0, 1, 2, 7, 100, 1000}) {
        std::vector<Label> labels;
        for (std::size_t i = 0; i < 2 * blocks; ++i) {
            labels.push_back(Label{random() % 20});
        }
        const std::vector<std::vector<std::uint16_t>> keys = {{0}, {1}, {0, 1}, {1, 0}};
        for (const std::vector<std::uint16_t> &key : keys) {
            AddressTable table;
            const auto begin = static_cast<std::uint32_t>(blocks / 3);
            table.build(labels.data(), 2, key, begin, static_cast<std::uint32_t>(blocks));
            for (std::uint64_t wanted = 0; wanted < 22; ++wanted) {
                const std::vector<Label> address = {Label{wanted}, Label{wanted / 2}};
                std::vector<std::uint16_t> positions = {0, 1};
                positions.resize(key.size());
                std::vector<std::uint32_t> expected;
                for (std::uint32_t block = begin; block < blocks; ++block) {
                    bool equal = true;
                    for (std::size_t i = 0; i < key.size(); ++i) {
                        equal &= labels[2 * block + key[i]] == address[positions[i]];
                    }
                    if (equal) {
                        expected.push_back(block);
                    }
                }
                EXPECT_EQ(all_of(table, address, positions), expected) << blocks << " blocks, label " << wanted;
            }
        }
    }
}

TEST(AddressTable, GrowsBeyondWhatWasExpected) {
    std::vector<Label> labels;
    for (std::uint64_t i = 0; i < 500; ++i) {
        labels.push_back(Label{i * 3});
    }
    const std::vector<std::uint16_t> key = {0};
    AddressTable table;
    table.clear(labels.data(), 1, key, 0, 2);
    for (std::uint32_t block = 0; block < 500; ++block) {
        EXPECT_EQ(table.first(&labels[block], key), AddressTable::none);
        table.add(block);
        EXPECT_EQ(table.first(&labels[block], key), block);
    }
    for (std::uint32_t block = 0; block < 500; ++block) {
        EXPECT_EQ(table.first(&labels[block], key), block);
    }
}

// Labels that a table without a seed would put into one slot, or in a row: multiples of the inverse of its factor.
std::vector<Label> prepared_labels(std::size_t count, bool in_a_row) {
    constexpr std::uint64_t inverse = 0xf1de83e19937733d;
    static_assert(inverse * 0x9e3779b97f4a7c15 == 1);
    const std::uint64_t apart = in_a_row ? std::uint64_t{1} << 40 : 1;
    std::vector<Label> labels;
    for (std::uint64_t i = 1; labels.size() < count; ++i) {
        const std::uint64_t number = i * apart * inverse;
        if (number >> 63 == 0) {
            labels.push_back(Label{number});
        }
    }
    return labels;
}

TEST(AddressTable, NoLabelsMakeItSearchLong) {
    constexpr std::uint32_t count = 100000;
    const std::vector<std::uint16_t> key = {0};
    for (const bool in_a_row : {false, true}) {
        const std::vector<Label> labels = prepared_labels(count, in_a_row);
        AddressTable built, added;
        built.build(labels.data(), 1, key, 0, count);
        EXPECT_LE(built.longest_search(), AddressTable::most_searched);
        added.clear(labels.data(), 1, key, 0, 10);
        for (std::uint32_t block = 0; block < count; ++block) {
            ASSERT_EQ(added.first(&labels[block], key), AddressTable::none);
            added.add(block);
        }
        EXPECT_LE(added.longest_search(), AddressTable::most_searched);
        for (std::uint32_t block = 0; block < count; ++block) {
            ASSERT_EQ(built.first(&labels[block], key), block);
            ASSERT_EQ(added.first(&labels[block], key), block);
        }
    }
}

// Pairs of labels that all have the same hash without a seed.
TEST(AddressTable, NoPairsOfLabelsMakeItSearchLong) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    constexpr std::uint32_t count = 50000;
    std::vector<Label> labels;
    for (std::uint64_t i = 0; labels.size() < 2 * count; ++i) {
        std::uint64_t code = i * golden;
        code ^= code >> 29;
        const std::uint64_t second = code ^ (std::uint64_t{1} << 63);
        if (second >> 63 == 0) {
            labels.insert(labels.end(), {Label{i}, Label{second}});
        }
    }
    const std::vector<std::uint16_t> key = {0, 1};
    AddressTable table;
    table.build(labels.data(), 2, key, 0, count);
    EXPECT_LE(table.longest_search(), AddressTable::most_searched);
    for (std::uint32_t block = 0; block < count; ++block) {
        ASSERT_EQ(table.first(&labels[2 * std::size_t{block}], key), block);
    }
}

TEST(AddressTable, SeedsChangeNothing) {
    std::vector<Label> labels = prepared_labels(2000, false);
    // Some of them several times.
    labels.insert(labels.end(), labels.begin(), labels.begin() + 500);
    labels.insert(labels.end(), labels.begin() + 250, labels.begin() + 1000);
    const std::vector<std::uint16_t> key = {0};
    const auto all = [&](std::uint64_t seed) {
        AddressTable table(seed);
        table.build(labels.data(), 1, key, 0, static_cast<std::uint32_t>(labels.size()));
        std::vector<std::uint32_t> blocks;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const std::vector<std::uint32_t> found = all_of(table, {labels[i]}, key);
            blocks.insert(blocks.end(), found.begin(), found.end());
            EXPECT_TRUE(all_of(table, {Label{static_cast<std::uint64_t>(labels[i]) + 1}}, key).empty());
        }
        return blocks;
    };
    const std::vector<std::uint32_t> expected = all(0);
    EXPECT_EQ(expected.size(), labels.size());
    for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL, ~0ULL, 0x9e3779b97f4a7c15ULL}) {
        EXPECT_EQ(all(seed), expected);
    }
}

TEST(AddressTable, PlacesAreThoseOfTheLatestLabels) {
    const std::vector<Label> labels = {Label{5}, Label{9}, Label{2}};
    const std::vector<std::uint16_t> key = {0};
    AddressTable table;
    table.build(labels.data(), 1, key, 0, 3);
    EXPECT_EQ(table.places(), nullptr);
    table.make_places(3);
    ASSERT_NE(table.places(), nullptr);
    EXPECT_EQ(table.places()->of(Label{2}).content, 2u);
    EXPECT_FALSE(table.places()->of(Label{3}).holds(Label{3}));
    table.build(labels.data(), 1, key, 0, 2);
    EXPECT_EQ(table.places(), nullptr);
}

}  // namespace
}  // namespace tenrex::program
