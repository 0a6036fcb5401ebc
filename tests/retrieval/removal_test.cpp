#include <tenrex/nearest_neighbors.h>

#include <gtest/gtest.h>

#include <set>

#include "tests/retrieval/random_vectors.h"

namespace tenrex::retrieval {
namespace {

VectorIndex make_index(std::size_t links) {
    return *VectorIndex::create({.dimensions = 16, .links = links, .explored_when_added = 60});
}

// The share of the ten nearest that a walk finds, of 30 queries.
double share_found(const VectorIndex &index) {
    SearchMemory memory;
    double share = 0;
    for (const auto &query : random_vectors(30, 16, 99)) {
        const auto exact = index.search(query, {.exact = true}, memory);
        const auto found = index.search(query, {.explored = 40}, memory);
        EXPECT_EQ(found->size(), exact->size());
        for (const Neighbor &neighbor : *found) {
            EXPECT_TRUE(index.contains(neighbor.id));
        }
        share += recall(*found, *exact) / 30;
    }
    return share;
}

TEST(Removal, leaves_the_others_to_be_found_until_none_is_left) {
    const auto vectors = random_vectors(800, 16, 1);
    VectorIndex index = make_index(16);
    for (const auto &vector : vectors) {
        ASSERT_TRUE(index.add(vector));
    }
    std::mt19937 random(3);
    std::vector<std::uint32_t> ids(vectors.size());
    std::iota(ids.begin(), ids.end(), 0);
    std::shuffle(ids.begin(), ids.end(), random);
    while (!ids.empty()) {
        ASSERT_TRUE(index.remove(ids.back()));
        EXPECT_FALSE(index.contains(ids.back()));
        EXPECT_EQ(index.remove(ids.back()).error().message(), "the index has no vector " + std::to_string(ids.back()));
        ids.pop_back();
        EXPECT_EQ(index.size(), ids.size());
        if (ids.size() % 99 == 1) {
            EXPECT_GE(share_found(index), 0.95) << ids.size() << " are left";
        }
    }
    SearchMemory memory;
    EXPECT_TRUE(index.search(vectors[0], {}, memory)->empty());
    EXPECT_TRUE(index.add(vectors[0]));
    EXPECT_EQ(index.search(vectors[0], {}, memory)->size(), 1U);
}

TEST(Removal, gives_rooms_to_others_and_keeps_the_graph_good) {
    constexpr std::size_t size = 500;
    VectorIndex index = make_index(16);
    std::set<std::uint32_t> ids;
    std::mt19937 random(4);
    std::vector<std::vector<float>> added;
    // Ten times as many vectors come and go as there are.
    for (const auto &vector : random_vectors(11 * size, 16, 5)) {
        if (index.size() == size) {
            const auto victim = std::next(ids.begin(), static_cast<std::ptrdiff_t>(random() % ids.size()));
            ASSERT_TRUE(index.remove(*victim));
            ids.erase(victim);
        }
        const auto id = index.add(vector);
        ASSERT_TRUE(id);
        EXPECT_TRUE(ids.insert(*id).second);
    }
    EXPECT_LE(index.end_id(), size + size / 4 + 1);  // what is gone for a while needs room, too
    VectorIndex fresh = make_index(16);
    for (const auto &vector : random_vectors(size, 16, 6)) {
        ASSERT_TRUE(fresh.add(vector));
    }
    EXPECT_GE(share_found(index), share_found(fresh) - 0.01);
}

}  // namespace
}  // namespace tenrex::retrieval
