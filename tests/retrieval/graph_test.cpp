#include "lib/retrieval/graph.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace tenrex::retrieval {
namespace {

TEST(Graph, has_few_nodes_on_higher_levels) {
    const Graph graph(16, 1);
    std::array<int, Graph::most_levels + 1> counts = {};
    for (std::uint32_t node = 0; node < 100000; ++node) {
        ++counts[graph.level(node)];
    }
    EXPECT_NEAR(counts[0], 93750, 500);
    EXPECT_NEAR(counts[1], 5859, 300);
    EXPECT_NEAR(counts[2], 366, 80);
    bool differs = false;
    for (std::uint32_t node = 0; node < 1000; ++node) {
        differs = differs || Graph(16, 2).level(node) != graph.level(node);
    }
    EXPECT_TRUE(differs);  // another seed
}

TEST(Graph, keeps_links_of_all_levels) {
    Graph graph(2, 7);
    ASSERT_TRUE(graph.resize(50));
    for (std::uint32_t node = 0; node < 50; ++node) {
        for (unsigned level = 0; level <= graph.level(node); ++level) {
            EXPECT_TRUE(graph.neighbours(node, level).empty());
            std::vector<std::uint32_t> links(graph.links(level));
            std::iota(links.begin(), links.end(), node + level);
            graph.set(node, level, links);
        }
    }
    ASSERT_TRUE(graph.resize(80));
    for (std::uint32_t node = 0; node < 50; ++node) {
        for (unsigned level = 0; level <= graph.level(node); ++level) {
            const auto links = graph.neighbours(node, level);
            ASSERT_EQ(links.size(), graph.links(level));
            for (std::uint32_t i = 0; i < links.size(); ++i) {
                EXPECT_EQ(links[i], node + i + level);
            }
        }
    }
    const std::array<std::uint32_t, 1> one = {9};
    graph.set(3, 0, one);
    EXPECT_EQ(graph.neighbours(3, 0).size(), 1U);
    EXPECT_TRUE(graph.neighbours(60, 0).empty());
}

}  // namespace
}  // namespace tenrex::retrieval
