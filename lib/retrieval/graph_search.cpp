#include "lib/retrieval/graph_search.h"

#include <utility>

namespace tenrex::retrieval {

Found descend(const Graph &graph, const VectorSpace &space, const QueryRow &query, Found from, unsigned level,
              SearchMemory::Content &memory) {
    memory.keys.resize(graph.links(level));
    for (bool nearer = true; nearer;) {
        nearer = false;
        const auto links = graph.neighbours(from.node, level);
        space.keys(query, links.data(), links.size(), memory.keys.data());
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (memory.keys[i] < from.key) {
                from = {memory.keys[i], links[i]};
                nearer = true;
            }
        }
    }
    return from;
}

std::span<const Found> explore(const Graph &graph, const VectorSpace &space, const QueryRow &query, Found from,
                               unsigned level, std::size_t explored, SearchMemory::Content &memory) {
    memory.begin(graph.nodes());
    memory.numbers.resize(2 * graph.links(0));
    memory.keys.resize(graph.links(0));
    std::uint8_t *const marks = memory.marks.data();
    const std::uint8_t mark = memory.mark;
    // Lists the neighbours of a node that were not seen.
    const auto list = [&](std::uint32_t node, std::uint32_t *numbers) {
        std::size_t count = 0;
        for (const std::uint32_t link : graph.block(node, level)) {
            if (link == Graph::none) {
                break;
            }
            // Without a branch: what is seen already is written over by the next.
            numbers[count] = link;
            count += marks[link] != mark ? 1 : 0;
            marks[link] = mark;
        }
        return count;
    };
    Beam &beam = memory.beam;
    beam.begin(explored);
    marks[from.node] = mark;
    beam.add(from.key, from.node);
    // The next node is taken before the neighbours of the last one are compared, although one of them may be nearer. So
    // its links arrive meanwhile, and its neighbours' cells while the others are added.
    std::uint32_t *numbers = memory.numbers.data();
    std::uint32_t *next_numbers = numbers + graph.links(0);
    std::size_t count = 0;
    for (std::uint32_t node = 0;;) {
        const bool is_taken = beam.take(node);
        if (!is_taken && count == 0) {
            return beam.end();
        }
        if (is_taken && level == 0) {
            graph.fetch(node);
        }
        space.keys(query, numbers, count, memory.keys.data());
        const std::size_t next_count = is_taken ? list(node, next_numbers) : 0;
        space.fetch(next_numbers, next_count);
        beam.add(memory.keys.data(), numbers, count);
        std::swap(numbers, next_numbers);
        count = next_count;
    }
}

std::span<const Found> explore_from_top(const Graph &graph, const VectorSpace &space, const QueryRow &query,
                                        std::size_t explored, SearchMemory::Content &memory) {
    Found from{0, graph.entry()};
    space.keys(query, &from.node, 1, &from.key);
    for (unsigned above = graph.top(); above > 0; --above) {
        from = descend(graph, space, query, from, above, memory);
    }
    return explore(graph, space, query, from, 0, explored, memory);
}

}  // namespace tenrex::retrieval
