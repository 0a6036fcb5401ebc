#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <tenrex/nearest_neighbors.h>

#include "tests/retrieval/random_vectors.h"

namespace tenrex::retrieval {
namespace {

constexpr std::size_t head_bytes = 72;

std::string saved(VectorCells cells) {
    const std::string path = testing::TempDir() + "damaged.vectors";
    VectorIndex index = *VectorIndex::create({.dimensions = 5, .cells = cells, .links = 4});
    for (const auto &vector : random_vectors(60, 5, 1)) {
        EXPECT_TRUE(index.add(vector));
    }
    EXPECT_TRUE(index.save(path));
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    file.close();
    std::filesystem::remove(path);
    return bytes;
}

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof(value));
    return bytes;
}

std::string problem(const std::string &bytes) {
    const auto index = VectorIndex::read(bytes);
    return index ? "none" : message_of(index.error());
}

TEST(DamagedIndex, is_refused_with_the_reason) {
    const std::string good = saved(VectorCells::int8);
    EXPECT_EQ(problem(good), "none");
    EXPECT_EQ(problem(""), "the index is damaged: it ends in its head");
    EXPECT_EQ(problem("?" + good.substr(1)), "this is no index of vectors");
    EXPECT_EQ(problem(good.substr(0, 7) + "1" + good.substr(8)),
              "another version of Tenrex wrote this index of vectors");
    EXPECT_EQ(problem(with(good, 8, std::uint64_t{0})),
              "the index is damaged: vectors have 1 to 65536 dimensions, not 0");
    EXPECT_EQ(problem(with(good, 16, std::uint32_t{9})), "the index is damaged: its head says what cannot be");
    EXPECT_EQ(problem(with(good, 20, std::uint32_t{9})), "the index is damaged: its head says what cannot be");
    const std::string fewer = "the index is damaged: it has fewer bytes than its vectors need";
    for (const std::uint64_t rows :
         {std::uint64_t{61}, std::uint64_t{100000}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        EXPECT_EQ(problem(with(good, 56, rows)), fewer) << rows;
    }
    EXPECT_EQ(problem(good + "x"), "the index is damaged: there are bytes behind its end");
    EXPECT_EQ(problem(with(good, 64, std::uint64_t{60})),
              "the index is damaged: searches begin at a vector that is not there");
    EXPECT_EQ(problem(with(good, 64, ~std::uint64_t{0})),
              "the index is damaged: it has vectors, but no beginning for searches");
    const std::size_t scales = 128 + 60 * 64;
    EXPECT_EQ(problem(with(good, scales, std::uint32_t{0x7FC00000})),
              "the index is damaged: a vector has a scale that is no number");
    const std::size_t links = (scales + 60 * 8 + 63) / 64 * 64 + 60 * 64;  // behind the floats
    EXPECT_EQ(problem(with(good, links, std::uint32_t{60})),
              "the index is damaged: a link leads to a vector that is not there");
    EXPECT_EQ(problem(with(good, good.size() - 1, '\xF0')), "the index is damaged: vectors are gone that never were");
}

TEST(DamagedIndex, ends_early_with_a_message_wherever_it_is_cut) {
    for (const VectorCells cells : {VectorCells::float32, VectorCells::bits}) {
        const std::string good = saved(cells);
        for (std::size_t size = 0; size < good.size(); size += size < head_bytes ? 1 : 37) {
            EXPECT_NE(problem(good.substr(0, size)), "none");
        }
    }
}

TEST(DamagedIndex, is_searched_without_harm_where_it_is_not_found_out) {
    const std::string good = saved(VectorCells::int8);
    std::mt19937 random(1);
    const auto query = random_vectors(1, 5, 2)[0];
    SearchMemory memory;
    for (int i = 0; i < 3000; ++i) {
        std::string bytes = good;
        for (int changes = 0; changes < 3; ++changes) {
            bytes[head_bytes + random() % (bytes.size() - head_bytes)] = static_cast<char>(random());
        }
        if (auto index = VectorIndex::read(bytes)) {
            EXPECT_TRUE(index->search(query, {}, memory));
            EXPECT_TRUE(index->add(query));
        }
    }
}

}  // namespace
}  // namespace tenrex::retrieval
