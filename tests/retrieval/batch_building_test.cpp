#include "lib/retrieval/batch_building.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "tests/differential/executors.h"
#include "tests/retrieval/random_vectors.h"

namespace tenrex::retrieval {
namespace {

using differential::PartsInTurn;
using differential::ThreadsForParts;

template <class T>
std::vector<T> joined(const std::vector<std::vector<T>> &vectors) {
    std::vector<T> all;
    for (const auto &vector : vectors) {
        all.insert(all.end(), vector.begin(), vector.end());
    }
    return all;
}

std::string bytes_of(const VectorIndex &index) {
    const std::string path = testing::TempDir() + "index_of_batches.vectors";
    EXPECT_TRUE(index.save(path));
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    return bytes;
}

// The share of the ten nearest that a walk finds, of 50 queries.
double part_found(const VectorIndex &index) {
    SearchMemory memory;
    double share = 0;
    for (const auto &query : random_vectors(50, 16, 99)) {
        share +=
            recall(*index.search(query, {.explored = 40}, memory), *index.search(query, {.exact = true}, memory)) / 50;
    }
    return share;
}

VectorIndexOptions options_with(VectorCells cells, std::size_t links = 8) {
    return {
        .dimensions = 16, .metric = DistanceMetric::angular, .cells = cells, .links = links, .explored_when_added = 60};
}

TEST(BatchBuilding, gives_the_same_index_for_any_number_of_threads) {
    const auto vectors = joined(random_vectors(1500, 16, 1));
    const auto later = joined(random_vectors(700, 16, 2));
    for (const VectorCells cells : {VectorCells::float32, VectorCells::int8, VectorCells::bits}) {
        std::string first;
        PartsInTurn three(3);
        ThreadsForParts two(2), seven(7);
        for (Executor *const executor : std::initializer_list<Executor *>{nullptr, &two, &three, &seven}) {
            VectorIndex index = *VectorIndex::create(options_with(cells));
            std::vector<std::uint32_t> ids;
            ASSERT_TRUE(index.add_many(vectors, ids, executor));
            for (std::uint32_t id = 0; id < 400; ++id) {
                ASSERT_TRUE(index.remove(2 * id));  // more than a fifth: their rooms are given to others
            }
            ASSERT_TRUE(index.add_many(later, ids, executor));
            EXPECT_EQ(ids.size(), 2200U);
            EXPECT_EQ(index.size(), 1800U);
            EXPECT_LT(index.end_id(), 2200U);
            const std::string bytes = bytes_of(index);
            first = first.empty() ? bytes : first;
            EXPECT_TRUE(bytes == first);
            EXPECT_GE(part_found(index), cells == VectorCells::bits ? 0.65 : 0.95);  // 16 bits tell little
        }
        EXPECT_GT(two.calls(), 10U);
        EXPECT_GT(seven.calls(), 10U);
    }
}

TEST(BatchBuilding, finds_as_much_as_a_graph_of_single_vectors) {
    const auto vectors = random_vectors(4000, 16, 3);
    VectorIndex one_by_one = *VectorIndex::create(options_with(VectorCells::float32));
    for (const auto &vector : vectors) {
        ASSERT_TRUE(one_by_one.add(vector));
    }
    VectorIndex together = *VectorIndex::create(options_with(VectorCells::float32));
    std::vector<std::uint32_t> ids = {77};
    ASSERT_TRUE(together.add_many(joined(vectors), ids));
    std::vector<std::uint32_t> expected(4001, 77);
    std::iota(expected.begin() + 1, expected.end(), 0U);
    EXPECT_EQ(ids, expected);
    EXPECT_GE(part_found(together), part_found(one_by_one) - 0.01);
}

// Vectors of one batch are nearest to each other, and to nothing that is there before.
TEST(BatchBuilding, links_what_comes_together) {
    auto vectors = random_vectors(1000, 16, 4);
    VectorIndex index = *VectorIndex::create(
        {.dimensions = 16, .metric = DistanceMetric::euclidean, .links = 8, .explored_when_added = 20});
    std::vector<std::uint32_t> ids;
    ASSERT_TRUE(index.add_many(joined(vectors), ids));
    auto far = random_vectors(60, 16, 5);
    for (auto &vector : far) {
        vector[0] += 1000;
    }
    ASSERT_TRUE(index.add_many(joined(far), ids));
    SearchMemory memory;
    double share = 0;
    for (const auto &vector : far) {
        share +=
            recall(*index.search(vector, {.explored = 40}, memory), *index.search(vector, {.exact = true}, memory)) /
            60;
    }
    EXPECT_GE(share, 0.95);
}

TEST(BatchBuilding, adds_bytes_and_whole_numbers_and_vectors_without_a_graph) {
    const auto bytes = joined(random_bytes(300, 16, 6));
    std::vector<std::uint32_t> ids;
    VectorIndex bits = *VectorIndex::create({.dimensions = 16, .metric = DistanceMetric::hamming});
    ASSERT_TRUE(bits.add_many(bytes, ids));
    EXPECT_GE(ids.size(), 300U);
    VectorIndex numbers = *VectorIndex::create({.dimensions = 16, .metric = DistanceMetric::dotproduct, .links = 0});
    VectorIndex as_floats = *VectorIndex::create({.dimensions = 16, .metric = DistanceMetric::dotproduct, .links = 0});
    ASSERT_TRUE(numbers.add_many(bytes, ids));
    ASSERT_TRUE(as_floats.add_many(std::vector<float>(bytes.begin(), bytes.end()), ids));
    EXPECT_TRUE(bytes_of(numbers) == bytes_of(as_floats));
}

TEST(BatchBuilding, keeps_what_comes_before_a_wrong_vector) {
    auto vectors = random_vectors(50, 16, 7);
    vectors[30].assign(16, 0);
    VectorIndex index = *VectorIndex::create(options_with(VectorCells::float32));
    std::vector<std::uint32_t> ids;
    const Status status = index.add_many(joined(vectors), ids);
    ASSERT_FALSE(status);
    EXPECT_EQ(message_of(status.error()), "the vector has zeros only, and so no angle to others");
    EXPECT_EQ(ids.size(), 30U);
    SearchMemory memory;
    EXPECT_EQ(index.search(vectors[29], {}, memory)->front().id, 29U);
    EXPECT_EQ(message_of(index.add_many(std::vector<float>(17), ids).error()), "17 numbers are no whole vectors of 16");
    ASSERT_TRUE(index.add_many(std::span<const float>(), ids));
    EXPECT_EQ(index.size(), 30U);
}

}  // namespace
}  // namespace tenrex::retrieval
