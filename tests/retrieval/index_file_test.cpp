#include <tenrex/nearest_neighbors.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/retrieval/random_vectors.h"

namespace tenrex::retrieval {
namespace {

class IndexFile : public testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(path()); }

    static std::string path() {
        return testing::TempDir() + "index_" + testing::UnitTest::GetInstance()->current_test_info()->name() +
               ".vectors";
    }
    static std::string contents() {
        std::ifstream file(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

VectorIndex make_index(DistanceMetric metric, VectorCells cells, std::size_t links) {
    VectorIndex index = *VectorIndex::create({.dimensions = 19, .metric = metric, .cells = cells, .links = links});
    for (const auto &vector : random_vectors(200, 19, 1)) {
        EXPECT_TRUE(index.add(vector));
    }
    EXPECT_TRUE(index.remove(7));
    return index;
}

TEST_F(IndexFile, gives_the_index_back_loaded_mapped_and_read) {
    for (const VectorCells cells :
         {VectorCells::float32, VectorCells::bfloat16, VectorCells::int8, VectorCells::bits}) {
        for (const std::size_t links : {0, 8}) {
            const VectorIndex index = make_index(DistanceMetric::angular, cells, links);
            ASSERT_TRUE(index.save(path()));
            const std::string bytes = contents();
            VectorIndex loaded = *VectorIndex::load(path());
            VectorIndex mapped = *VectorIndex::load(path(), true);
            VectorIndex read = *VectorIndex::read(bytes);
            EXPECT_LT(mapped.memory_bytes(), loaded.memory_bytes());
            SearchMemory memory;
            for (VectorIndex *const other : {&loaded, &mapped, &read}) {
                EXPECT_EQ(other->size(), 199U);
                EXPECT_EQ(other->end_id(), 200U);
                EXPECT_FALSE(other->contains(7));
                EXPECT_EQ(other->options().metric, DistanceMetric::angular);
                for (const auto &query : random_vectors(10, 19, 2)) {
                    EXPECT_EQ(*other->search(query, {.exact = true}, memory),
                              *index.search(query, {.exact = true}, memory));
                    EXPECT_EQ(other->search(query, {.explored = 200}, memory)->front(),
                              index.search(query, {.exact = true}, memory)->front());
                }
            }
            const auto vector = random_vectors(1, 19, 3)[0];
            EXPECT_EQ(*loaded.add(vector), 7U);
            const std::string refusal = "the vectors stay in a file, so none can be added or removed";
            EXPECT_EQ(message_of(mapped.add(vector).error()), refusal);
            EXPECT_EQ(message_of(mapped.add(std::vector<std::int8_t>(19)).error()), refusal);
            EXPECT_EQ(message_of(mapped.remove(1).error()), refusal);
            EXPECT_EQ(message_of(mapped.reserve(1000).error()), refusal);
        }
    }
}

TEST_F(IndexFile, has_bits_of_vectors_that_are_bytes) {
    VectorIndex index = *VectorIndex::create({.dimensions = 9, .metric = DistanceMetric::hamming});
    const auto vectors = random_bytes(50, 9, 1);
    for (const auto &vector : vectors) {
        ASSERT_TRUE(index.add(vector));
    }
    ASSERT_TRUE(index.save(path()));
    const VectorIndex mapped = *VectorIndex::load(path(), true);
    SearchMemory memory;
    EXPECT_EQ(*mapped.search(vectors[4], {.exact = true}, memory), *index.search(vectors[4], {.exact = true}, memory));
}

TEST_F(IndexFile, has_the_same_bytes_for_the_same_calls) {
    std::string first;
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(make_index(DistanceMetric::euclidean, VectorCells::int8, 16).save(path()));
        first = i == 0 ? contents() : first;
        EXPECT_EQ(contents(), first);
    }
    ASSERT_TRUE(VectorIndex::create({.dimensions = 3})->save(path()));
    EXPECT_EQ(VectorIndex::load(path(), true)->size(), 0U);
}

TEST_F(IndexFile, says_what_cannot_be_read_or_written) {
    const auto missing = VectorIndex::load(path());
    ASSERT_FALSE(missing);
    EXPECT_EQ(message_of(missing.error()), "cannot read " + path() + ": No such file or directory");
    const Status nowhere = VectorIndex::create({.dimensions = 3})->save(path() + "/no/folder");
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().message().find("cannot write "), std::string::npos);
    std::ofstream(path()).close();
    EXPECT_EQ(message_of(VectorIndex::load(path(), true).error()), "the index is damaged: it is empty");
}

}  // namespace
}  // namespace tenrex::retrieval
