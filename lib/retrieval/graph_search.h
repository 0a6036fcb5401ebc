// Walks over the links of a graph towards a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/retrieval/graph.h"
#include "lib/retrieval/search_memory.h"
#include "lib/retrieval/vector_space.h"

namespace tenrex::retrieval {

// From `node` over one level to a node none of whose neighbours is nearer.
Found descend(const Graph &graph, const VectorSpace &space, const QueryRow &query, Found from, unsigned level,
              SearchMemory::Content &memory);
// The `explored` nearest nodes that a walk over a level finds from there, in order; in the memory.
std::span<const Found> explore(const Graph &graph, const VectorSpace &space, const QueryRow &query, Found from,
                               unsigned level, std::size_t explored, SearchMemory::Content &memory);
// From the entry down to the lowest level, and over it. There must be a node.
std::span<const Found> explore_from_top(const Graph &graph, const VectorSpace &space, const QueryRow &query,
                                        std::size_t explored, SearchMemory::Content &memory);

}  // namespace tenrex::retrieval
