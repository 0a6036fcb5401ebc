// Gives many nodes their links, with the help of several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <tenrex/executor.h>

#include "lib/retrieval/graph_building.h"

namespace tenrex::retrieval {

// Nodes are linked some at a time. Those of a batch choose their links side by side, in a graph that does not change
// and among those before them in the batch; then the nodes that they chose are linked to them, again side by side. What
// comes out is the same for any number of threads, but not what inserting one node after the other gives.
class BatchBuilder {
public:
    // No executor: the thread of the caller does all.
    BatchBuilder(Graph &graph, const VectorSpace &space, const RowSet &removed, std::size_t explored,
                 Executor *executor)
        : graph_(graph), space_(space), removed_(removed), explored_(explored), executor_(executor) {}

    // `linked`: how many nodes the graph has links of.
    void insert(std::span<const std::uint32_t> nodes, std::size_t linked);

private:
    struct Worker {
        Worker(Graph &graph, const VectorSpace &space, const RowSet &removed, std::size_t explored)
            : builder(graph, space, removed, explored, memory.content()) {}

        SearchMemory memory;
        GraphBuilder builder;
    };
    // A link from a node that was chosen by another.
    struct BackLink {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        unsigned level = 0;
    };

    void insert_batch(std::span<const std::uint32_t> nodes);
    void link_back();
    // Calls work(builder, i) for each i below the count.
    template <class Work>
    void each(std::size_t count, const Work &work);

    Graph &graph_;
    const VectorSpace &space_;
    const RowSet &removed_;
    std::size_t explored_;
    Executor *executor_;
    std::vector<std::unique_ptr<Worker>> workers_;  // one for each thread that had work
    std::vector<NodeLinks> chosen_;
    std::vector<BackLink> back_links_;
};

}  // namespace tenrex::retrieval
