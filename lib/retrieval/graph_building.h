// Gives nodes their links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/retrieval/graph_search.h"
#include "lib/retrieval/row_set.h"

namespace tenrex::retrieval {

// The links of a node, by level.
using NodeLinks = std::vector<std::vector<std::uint32_t>>;

// Adds nodes, and mends what removed ones leave behind. Links to those are passed over.
class GraphBuilder {
public:
    GraphBuilder(Graph &graph, const VectorSpace &space, const RowSet &removed, std::size_t explored,
                 SearchMemory::Content &memory)
        : graph_(graph), space_(space), removed_(removed), explored_(explored), memory_(memory) {}

    // Links a node, whose vector is there, with others.
    void insert(std::uint32_t node);
    // The two halves of that. The links of a node are chosen among the nodes that a walk finds, and among `mates`,
    // which may have none yet. The graph stays as it is, and must have an entry.
    void choose_links(std::uint32_t node, std::span<const std::uint32_t> mates, NodeLinks &links);
    // Links a node to others that have chosen it. It changes nothing but the node's links, and reads no others.
    void link_back(std::uint32_t from, std::span<const std::uint32_t> to, unsigned level);
    // Takes all removed nodes out of the links: the neighbours of a node and of those that are removed are its
    // candidates. Nodes that are left without any are inserted again.
    void forget_removed();

private:
    // The candidates are in order. Of them those that are nearer to the node than to one that was selected before: they
    // lead in all directions.
    std::span<const std::uint32_t> select(std::span<const Found> candidates, std::size_t most);
    bool is_covered(const Found &candidate);
    void add_mates(const QueryRow &query, std::span<const std::uint32_t> mates, unsigned level);
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
    NodeLinks links_;
    std::vector<float> keys_;
    std::vector<std::byte> query_cells_;
    std::vector<std::byte> candidate_cells_;
};

}  // namespace tenrex::retrieval
