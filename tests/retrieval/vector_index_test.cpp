#include <tenrex/nearest_neighbors.h>

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "tests/retrieval/random_vectors.h"

namespace tenrex::retrieval {
namespace {

constexpr DistanceMetric metrics_of_numbers[] = {DistanceMetric::euclidean, DistanceMetric::angular,
                                                 DistanceMetric::prenormalized_angular, DistanceMetric::dotproduct};
constexpr VectorCells all_cells[] = {VectorCells::float32, VectorCells::bfloat16, VectorCells::int8, VectorCells::bits};

VectorIndexOptions options_of(DistanceMetric metric, VectorCells cells, std::size_t dimensions) {
    VectorIndexOptions options;
    options.dimensions = dimensions;
    options.metric = metric;
    options.cells = cells;
    options.explored_when_added = 60;
    return options;
}

template <class T>
VectorIndex make_index(const VectorIndexOptions &options, const std::vector<std::vector<T>> &vectors) {
    auto index = VectorIndex::create(options);
    EXPECT_TRUE(index) << index.error().render();
    std::uint32_t next = 0;
    for (const std::vector<T> &vector : vectors) {
        const auto id = index->add(vector);
        EXPECT_TRUE(id);
        EXPECT_EQ(*id, next++);
    }
    return *std::move(index);
}

// The same ids unless distances are as good as equal, and the distances.
void expect_near(const std::vector<Neighbor> &found, const std::vector<Neighbor> &exact, double tolerance) {
    ASSERT_EQ(found.size(), exact.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i].distance, exact[i].distance, tolerance) << "neighbour " << i;
    }
}

TEST(VectorIndex, finds_exactly_what_the_metric_says) {
    for (const std::size_t dimensions : {1, 7, 64, 65}) {
        const auto vectors = random_vectors(150, dimensions, 1);
        const auto queries = random_vectors(5, dimensions, 2);
        std::vector<float> together;
        for (const auto &query : queries) {
            together.insert(together.end(), query.begin(), query.end());
        }
        for (const DistanceMetric metric : metrics_of_numbers) {
            for (const VectorCells cells : all_cells) {
                VectorIndexOptions options = options_of(metric, cells, dimensions);
                options.links = 0;
                const VectorIndex index = make_index(options, vectors);
                SearchMemory memory;
                NeighborSearch search;
                search.count = 12;
                search.exact = true;
                const auto all = index.search_exactly(together, search);
                ASSERT_TRUE(all);
                for (std::size_t i = 0; i < queries.size(); ++i) {
                    const auto found = index.search(queries[i], search, memory);
                    ASSERT_TRUE(found);
                    const auto exact = true_neighbors(metric, vectors, queries[i], 12);
                    // What is near an angle of 0 is a root of what rounding leaves.
                    expect_near(*found, exact, metric == DistanceMetric::angular ? 1e-3 : 1e-2);
                    EXPECT_EQ((*all)[i], *found);
                }
            }
        }
    }
}

TEST(VectorIndex, finds_nearly_all_with_any_cells_and_metric) {
    const auto vectors = random_vectors(600, 32, 1);
    const auto queries = random_vectors(30, 32, 2);
    for (const DistanceMetric metric : metrics_of_numbers) {
        for (const VectorCells cells : all_cells) {
            const VectorIndex index = make_index(options_of(metric, cells, 32), vectors);
            SearchMemory memory;
            NeighborSearch search;
            search.explored = cells == VectorCells::bits ? 300 : 60;
            double share = 0;
            for (const auto &query : queries) {
                const auto found = index.search(query, search, memory);
                ASSERT_TRUE(found);
                const auto exact = true_neighbors(metric, vectors, query, 10);
                share += recall(*found, exact) / static_cast<double>(queries.size());
                for (const Neighbor &neighbor : *found) {
                    EXPECT_NEAR(neighbor.distance, true_distance(metric, query, vectors[neighbor.id]), 1e-2);
                }
            }
            EXPECT_GE(share, 0.95) << "metric " << static_cast<int>(metric) << ", cells " << static_cast<int>(cells);
        }
    }
}

// Signs alone do not say how long vectors are: a scale does.
TEST(VectorIndex, finds_by_signs_what_is_near_among_vectors_of_all_lengths) {
    auto vectors = random_vectors(1000, 128, 1);
    const auto queries = random_vectors(30, 128, 2);
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        for (float &value : vectors[i]) {
            value *= static_cast<float>(1 + i % 7) / 4;
        }
    }
    for (const DistanceMetric metric :
         {DistanceMetric::euclidean, DistanceMetric::angular, DistanceMetric::dotproduct}) {
        VectorIndexOptions options = options_of(metric, VectorCells::bits, 128);
        const VectorIndex index = make_index(options, vectors);
        SearchMemory memory;
        NeighborSearch search;
        search.explored = 1000;
        search.rescored = 40;
        double share = 0;
        for (const auto &query : queries) {
            const auto found = index.search(query, search, memory);
            ASSERT_TRUE(found);
            share += recall(*found, true_neighbors(metric, vectors, query, 10)) / static_cast<double>(queries.size());
        }
        EXPECT_GE(share, 0.97) << "metric " << static_cast<int>(metric);
    }
}

TEST(VectorIndex, compares_bits) {
    for (const std::size_t length : {1, 8, 48}) {
        const auto vectors = random_bytes(400, length, 1);
        const auto query = random_bytes(1, length, 2)[0];
        const VectorIndex index = make_index(options_of(DistanceMetric::hamming, VectorCells::bits, length), vectors);
        SearchMemory memory;
        const auto exact = true_neighbors(DistanceMetric::hamming, vectors, query, 10);
        const auto found = index.search(query, {.exact = true}, memory);
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, exact);
        const auto walked = index.search(query, {.explored = 400}, memory);
        ASSERT_TRUE(walked);
        expect_near(*walked, exact, length == 48 ? 6 : 1);
        EXPECT_FALSE(index.search(std::vector<float>(length), {}, memory));
    }
}

TEST(VectorIndex, keeps_whole_numbers_as_they_are_in_int8_cells) {
    const auto vectors = random_bytes(300, 24, 1);
    const auto query = random_bytes(1, 24, 2)[0];
    for (const DistanceMetric metric : {DistanceMetric::euclidean, DistanceMetric::dotproduct}) {
        VectorIndexOptions options = options_of(metric, VectorCells::int8, 24);
        options.keep_floats = false;
        auto within = vectors;
        for (auto &vector : within) {
            std::replace(vector.begin(), vector.end(), std::int8_t{-128}, std::int8_t{-127});
        }
        const VectorIndex index = make_index(options, within);
        SearchMemory memory;
        const auto found = index.search(query, {.exact = true}, memory);
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, true_neighbors(metric, within, query, 10));
    }
}

TEST(VectorIndex, finds_what_a_filter_allows_however_narrow) {
    const auto vectors = random_vectors(1500, 16, 1);
    const auto queries = random_vectors(8, 16, 2);
    const VectorIndex index = make_index(options_of(DistanceMetric::euclidean, VectorCells::float32, 16), vectors);
    SearchMemory memory;
    for (const std::uint32_t every : {1, 2, 10, 100, 500, 3000}) {
        std::vector<std::uint64_t> allowed(vectors.size() / 64 + 1);
        for (std::uint32_t id = 0; id < vectors.size(); id += every) {
            allowed[id / 64] |= std::uint64_t{1} << id % 64;
        }
        double share = 0;
        for (const auto &query : queries) {
            NeighborSearch search;
            search.explored = 60;
            search.allowed = allowed;
            const auto found = index.search(query, search, memory);
            const auto exact = true_neighbors(DistanceMetric::euclidean, vectors, query, 10,
                                              [&](std::uint32_t id) { return id % every == 0; });
            ASSERT_TRUE(found);
            EXPECT_EQ(found->size(), exact.size());
            for (const Neighbor &neighbor : *found) {
                EXPECT_EQ(neighbor.id % every, 0U);
            }
            share += recall(*found, exact) / static_cast<double>(queries.size());
        }
        EXPECT_GE(share, 0.95) << "one of " << every;
    }
    const std::vector<std::uint64_t> none(1);
    EXPECT_TRUE(index.search(queries[0], {.allowed = none}, memory)->empty());
    const std::vector<std::uint64_t> beyond(100, ~std::uint64_t{0});
    EXPECT_EQ(index.search(queries[0], {.allowed = beyond}, memory)->size(), 10U);
}

TEST(VectorIndex, gives_all_when_more_are_asked_for) {
    const auto vectors = random_vectors(30, 4, 1);
    const VectorIndex index = make_index(options_of(DistanceMetric::euclidean, VectorCells::float32, 4), vectors);
    SearchMemory memory;
    for (const std::size_t count : {0, 1, 29, 30, 31, 1000}) {
        const auto found = index.search(vectors[3], {.count = count}, memory);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->size(), std::min<std::size_t>(count, 30));
        if (count > 0) {
            EXPECT_EQ(found->front().id, 3U);
        }
    }
    const auto empty = VectorIndex::create({.dimensions = 4});
    EXPECT_TRUE(empty->search(vectors[0], {}, memory)->empty());
    EXPECT_EQ(empty->search_exactly(vectors[0], {})->front().size(), 0U);
    EXPECT_TRUE(empty->search_exactly({}, {})->empty());
}

TEST(VectorIndex, takes_equal_vectors) {
    const std::vector<std::vector<float>> vectors(300, {1, 2, 3});
    const VectorIndex index = make_index(options_of(DistanceMetric::euclidean, VectorCells::float32, 3), vectors);
    SearchMemory memory;
    const auto found = index.search(vectors[0], {.count = 300}, memory);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size(), 300U);
}

TEST(VectorIndex, answers_threads_as_one) {
    const auto vectors = random_vectors(600, 24, 1);
    const auto queries = random_vectors(40, 24, 2);
    const VectorIndex index = make_index(options_of(DistanceMetric::angular, VectorCells::int8, 24), vectors);
    std::vector<std::vector<Neighbor>> expected;
    SearchMemory memory;
    for (const auto &query : queries) {
        expected.push_back(*index.search(query, {}, memory));
    }
    std::vector<std::vector<std::vector<Neighbor>>> found(4);
    {
        std::vector<std::jthread> threads;
        for (auto &mine : found) {
            threads.emplace_back([&] {
                SearchMemory own;
                for (const auto &query : queries) {
                    mine.push_back(*index.search(query, {}, own));
                }
            });
        }
    }
    for (const auto &each : found) {
        EXPECT_EQ(each, expected);
    }
}

TEST(VectorIndex, serves_several_indexes_with_one_memory) {
    const auto few = random_vectors(20, 8, 1);
    const auto many = random_vectors(700, 8, 2);
    const VectorIndex small = make_index(options_of(DistanceMetric::euclidean, VectorCells::float32, 8), few);
    const VectorIndex large = make_index(options_of(DistanceMetric::euclidean, VectorCells::bits, 8), many);
    SearchMemory shared;
    for (int i = 0; i < 600; ++i) {  // more often than marks have values
        SearchMemory own;
        ASSERT_EQ(*small.search(few[i % 20], {}, shared), *small.search(few[i % 20], {}, own));
        ASSERT_EQ(*large.search(many[i], {}, shared), *large.search(many[i], {}, own));
    }
}

void expect_error(const Error &error, const std::string &message) {
    EXPECT_EQ(message_of(error), message);
}

TEST(VectorIndex, refuses_what_has_no_distance) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    auto index = VectorIndex::create({.dimensions = 2, .metric = DistanceMetric::angular});
    SearchMemory memory;
    const std::string not_finite = "the vector has a number that is not finite, or too large for its square";
    for (const float value : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1e30F}) {
        expect_error(index->add(std::vector<float>{1, value}).error(), not_finite);
        expect_error(index->search(std::vector<float>{1, value}, {}, memory).error(), not_finite);
    }
    expect_error(index->add(std::vector<float>{0, 0}).error(), "the vector has zeros only, and so no angle to others");
    expect_error(index->add(std::vector<float>{1}).error(), "the vector has 1 numbers, those of the index have 2");
    EXPECT_EQ(index->size(), 0U);
    EXPECT_TRUE(index->add(std::vector<float>{1e-40F, 0}));  // the angle does not care
    EXPECT_NEAR(index->search(std::vector<float>{1, 1}, {}, memory)->front().distance, std::acos(-1.0) / 4, 1e-6);
    auto bits = VectorIndex::create({.dimensions = 2, .metric = DistanceMetric::hamming});
    expect_error(bits->add(std::vector<float>{1, 2}).error(), "the index has vectors of bits, not of numbers");
    expect_error(bits->add(std::vector<std::int8_t>{1}).error(), "the vector has 1 bytes, those of the index have 2");
    expect_error(index->search_exactly(std::vector<float>(3), {}).error(), "3 numbers are no whole vectors of 2");
}

TEST(VectorIndex, refuses_options_that_cannot_be) {
    const auto error_of = [](const VectorIndexOptions &options) {
        return message_of(VectorIndex::create(options).error());
    };
    EXPECT_EQ(error_of({}), "vectors have 1 to 65536 dimensions, not 0");
    EXPECT_EQ(error_of({.dimensions = 1 << 20}), "vectors have 1 to 65536 dimensions, not 1048576");
    EXPECT_EQ(error_of({.dimensions = 3, .links = 1}), "a node has 2 to 1024 links, not 1");
    EXPECT_EQ(error_of({.dimensions = 3, .explored_when_added = 0}),
              "1 to 1048576 nodes are explored when a vector is added, not 0");
    EXPECT_EQ(error_of({.dimensions = 3, .cells = VectorCells::bits, .keep_floats = false}),
              "bits alone do not tell how far apart vectors are");
    EXPECT_EQ(error_of({.dimensions = 2, .metric = DistanceMetric::geodegrees}),
              "an index cannot compare places by geodegrees");
}

TEST(VectorIndex, has_no_graph_where_none_is_wanted) {
    const auto vectors = random_vectors(100, 8, 1);
    VectorIndexOptions options = options_of(DistanceMetric::euclidean, VectorCells::float32, 8);
    const VectorIndex with_graph = make_index(options, vectors);
    options.links = 0;
    VectorIndex flat = make_index(options, vectors);
    EXPECT_LT(flat.memory_bytes(), with_graph.memory_bytes());
    SearchMemory memory;
    EXPECT_EQ(*flat.search(vectors[5], {}, memory), *with_graph.search(vectors[5], {.exact = true}, memory));
    EXPECT_TRUE(flat.remove(5));
    EXPECT_NE(flat.search(vectors[5], {}, memory)->front().id, 5U);
    EXPECT_EQ(*flat.add(vectors[5]), 5U);
}

}  // namespace
}  // namespace tenrex::retrieval
