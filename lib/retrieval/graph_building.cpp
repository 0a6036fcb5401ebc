#include "lib/retrieval/graph_building.h"

#include <algorithm>

namespace tenrex::retrieval {

// Whether a node that was selected is nearer to the candidate than the node itself is.
bool GraphBuilder::is_covered(const Found &candidate) {
    constexpr std::size_t at_a_time = 8;
    const QueryRow row = space_.row(candidate.node, candidate_cells_);
    float keys[at_a_time];
    for (std::size_t first = 0; first < selected_.size(); first += at_a_time) {
        const std::size_t count = std::min(at_a_time, selected_.size() - first);
        space_.keys(row, selected_.data() + first, count, keys);
        if (std::any_of(keys, keys + count, [&](float key) { return key < candidate.key; })) {
            return true;
        }
    }
    return false;
}

std::span<const std::uint32_t> GraphBuilder::select(std::span<const Found> candidates, std::size_t most) {
    selected_.clear();
    for (const Found &candidate : candidates) {
        if (selected_.size() == most) {
            break;
        }
        if (!removed_.contains(candidate.node) && !is_covered(candidate)) {
            selected_.push_back(candidate.node);
        }
    }
    return selected_;
}

// The links of a node are the best of `nodes`.
void GraphBuilder::choose_anew(std::uint32_t node, unsigned level, std::vector<std::uint32_t> &nodes) {
    keys_.resize(nodes.size());
    space_.keys(space_.row(node, query_cells_), nodes.data(), nodes.size(), keys_.data());
    candidates_.clear();
    candidates_.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        candidates_.push_back({keys_[i], nodes[i]});
    }
    std::sort(candidates_.begin(), candidates_.end(), is_nearer);
    graph_.set(node, level, select(candidates_, graph_.links(level)));
}

void GraphBuilder::link_back(std::uint32_t from, std::uint32_t to, unsigned level) {
    if (!graph_.append(from, level, to)) {
        const auto links = graph_.neighbours(from, level);
        others_.assign(links.begin(), links.end());
        others_.push_back(to);
        choose_anew(from, level, others_);
    }
}

void GraphBuilder::insert(std::uint32_t node) {
    const unsigned level = graph_.level(node);
    if (graph_.entry() == Graph::none) {
        graph_.set_entry(node);
        return;
    }
    std::vector<std::byte> cells;
    const QueryRow query = space_.row(node, cells);
    Found from{0, graph_.entry()};
    space_.keys(query, &from.node, 1, &from.key);
    const unsigned top = graph_.top();
    for (unsigned above = top; above > level; --above) {
        from = descend(graph_, space_, query, from, above, memory_);
    }
    std::vector<std::uint32_t> links;
    for (unsigned at = std::min(top, level) + 1; at-- > 0;) {
        const auto found = explore(graph_, space_, query, from, at, explored_, memory_);
        memory_.found.assign(found.begin(), found.end());
        from = memory_.found.front();
        // A node that is inserted again may be found itself.
        std::erase_if(memory_.found, [&](const Found &other) { return other.node == node; });
        const auto selected = select(memory_.found, graph_.links(1));
        links.assign(selected.begin(), selected.end());
        graph_.set(node, at, links);
        for (const std::uint32_t link : links) {
            link_back(link, node, at);
        }
    }
    if (level > top) {
        graph_.set_entry(node);
    }
}

}  // namespace tenrex::retrieval
