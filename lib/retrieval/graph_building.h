// Gives nodes their links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/retrieval/graph_search.h"
#include "lib/retrieval/row_set.h"

namespace tenrex::retrieval {

// Adds nodes, and mends what removed ones leave behind. Links to those are passed over.
class GraphBuilder {
public:
    GraphBuilder(Graph &graph, const VectorSpace &space, const RowSet &removed, std::size_t explored,
                 SearchMemory::Content &memory)
        : graph_(graph), space_(space), removed_(removed), explored_(explored), memory_(memory) {}

    // Links a node, whose vector is there, with others.
    void insert(std::uint32_t node);
    // Takes all removed nodes out of the links: the neighbours of a node and of those that are removed are its
    // candidates. Nodes that are left without any are inserted again.
    void forget_removed();

private:
    // The candidates are in order. Of them those that are nearer to the node than to one that was selected before: they
    // lead in all directions.
    std::span<const std::uint32_t> select(std::span<const Found> candidates, std::size_t most);
    bool is_covered(const Found &candidate);
    void link_back(std::uint32_t from, std::uint32_t to, unsigned level);
    void choose_anew(std::uint32_t node, unsigned level, std::vector<std::uint32_t> &nodes);
    void mend(std::uint32_t node, unsigned level);
    void choose_entry();

    Graph &graph_;
    const VectorSpace &space_;
    const RowSet &removed_;
    std::size_t explored_;
    SearchMemory::Content &memory_;
    std::vector<std::uint32_t> selected_;
    std::vector<Found> candidates_;
    std::vector<std::uint32_t> others_;
    std::vector<float> keys_;
    std::vector<std::byte> query_cells_;
    std::vector<std::byte> candidate_cells_;
};

}  // namespace tenrex::retrieval
