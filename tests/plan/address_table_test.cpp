// Blocks are found by their labels.
#include "lib/plan/address_table.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::plan {
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
}  // namespace tenrex::plan
