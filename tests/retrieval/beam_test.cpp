#include "lib/retrieval/beam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace tenrex::retrieval {
namespace {

TEST(Beam, keeps_the_nearest_in_order) {
    std::mt19937 random(1);
    for (const std::size_t limit : {1, 2, 5, 40}) {
        Beam beam;
        beam.begin(limit);
        std::vector<Found> all;
        for (std::uint32_t node = 0; node < 100; ++node) {
            all.push_back({static_cast<float>(random() % 1000), node});
            beam.add(all.back().key, node);
        }
        std::stable_sort(all.begin(), all.end(), [](const Found &x, const Found &y) { return x.key < y.key; });
        std::uint32_t node = 0;
        ASSERT_TRUE(beam.take(node));
        const auto kept = beam.end();
        ASSERT_EQ(kept.size(), limit);
        for (std::size_t i = 0; i < limit; ++i) {
            EXPECT_EQ(kept[i].key, all[i].key);
        }
    }
}

TEST(Beam, gives_the_nearest_that_was_not_taken) {
    Beam beam;
    beam.begin(3);
    beam.add(5, 50);
    beam.add(7, 70);
    std::uint32_t node = 0;
    ASSERT_TRUE(beam.take(node));
    EXPECT_EQ(node, 50U);
    beam.add(6, 60);
    beam.add(3, 30);  // 70 is out
    ASSERT_TRUE(beam.take(node));
    EXPECT_EQ(node, 30U);
    ASSERT_TRUE(beam.take(node));
    EXPECT_EQ(node, 60U);
    EXPECT_FALSE(beam.take(node));
    ASSERT_EQ(beam.end().size(), 3U);
    EXPECT_EQ(beam.end()[1].node, 50U);
}

TEST(Beam, takes_some_as_one_by_one) {
    std::mt19937 random(2);
    for (const std::size_t limit : {1, 2, 5, 40}) {
        for (const std::size_t count : {0, 1, 7, 100}) {
            Beam single;
            Beam together;
            single.begin(limit);
            together.begin(limit);
            single.add(500, 1000);
            together.add(500, 1000);
            for (std::uint32_t group = 0; group < 5; ++group) {
                std::vector<float> keys;
                std::vector<std::uint32_t> nodes;
                for (std::uint32_t i = 0; i < count; ++i) {
                    keys.push_back(static_cast<float>(random() % 100));
                    nodes.push_back(group * 100 + i);
                    single.add(keys.back(), nodes.back());
                }
                together.add(keys.data(), nodes.data(), count);
                std::uint32_t one = 0;
                std::uint32_t other = 0;
                ASSERT_EQ(single.take(one), together.take(other));
                ASSERT_EQ(one, other);
            }
            ASSERT_EQ(single.end().size(), together.end().size());
            for (std::size_t i = 0; i < single.end().size(); ++i) {
                EXPECT_EQ(single.end()[i].key, together.end()[i].key);
                EXPECT_EQ(single.end()[i].node, together.end()[i].node);
            }
        }
    }
}

TEST(Beam, begins_anew) {
    Beam beam;
    beam.begin(2);
    beam.add(1, 1);
    beam.begin(1);
    beam.add(2, 2);
    std::uint32_t node = 0;
    ASSERT_TRUE(beam.take(node));
    EXPECT_EQ(node, 2U);
    EXPECT_FALSE(beam.take(node));
    EXPECT_EQ(beam.end().size(), 1U);
}

TEST(Found, orders_what_is_no_number_last) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(is_nearer({1, 9}, {2, 1}));
    EXPECT_TRUE(is_nearer({1, 1}, {1, 2}));
    EXPECT_TRUE(is_nearer({1, 9}, {nan, 1}));
    EXPECT_FALSE(is_nearer({nan, 1}, {1, 9}));
    EXPECT_TRUE(is_nearer({nan, 1}, {nan, 2}));
}

}  // namespace
}  // namespace tenrex::retrieval
