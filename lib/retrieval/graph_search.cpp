#include "lib/retrieval/graph_search.h"

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
    memory.numbers.resize(graph.links(0));
    memory.keys.resize(graph.links(0));
    std::uint8_t *const marks = memory.marks.data();
    const std::uint8_t mark = memory.mark;
    std::uint32_t *const numbers = memory.numbers.data();
    float *const keys = memory.keys.data();
    Beam &beam = memory.beam;
    beam.begin(explored);
    marks[from.node] = mark;
    beam.add(from.key, from.node);
    for (std::uint32_t node = 0; beam.take(node);) {
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
        if (level == 0 && beam.next(node)) {
            graph.fetch(node);
        }
        space.keys(query, numbers, count, keys);
        for (std::size_t i = 0; i < count; ++i) {
            beam.add(keys[i], numbers[i]);
        }
    }
    return beam.end();
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
