#include "lib/retrieval/graph_building.h"

#include <algorithm>
#include <iterator>

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

void GraphBuilder::link_back(std::uint32_t from, std::span<const std::uint32_t> to, unsigned level) {
    const auto links = graph_.neighbours(from, level);
    others_.assign(links.begin(), links.end());
    others_.insert(others_.end(), to.begin(), to.end());
    if (others_.size() <= graph_.links(level)) {
        graph_.set(from, level, others_);
    } else {
        choose_anew(from, level, others_);
    }
}

// Puts mates among the nodes that were found, of which as many are left as a walk may find.
void GraphBuilder::add_mates(const QueryRow &query, std::span<const std::uint32_t> mates, unsigned level) {
    others_.clear();
    std::copy_if(mates.begin(), mates.end(), std::back_inserter(others_),
                 [&](std::uint32_t mate) { return graph_.level(mate) >= level; });
    keys_.resize(others_.size());
    space_.keys(query, others_.data(), others_.size(), keys_.data());
    std::vector<Found> &found = memory_.found;
    for (std::size_t i = 0; i < others_.size(); ++i) {
        found.push_back({keys_[i], others_[i]});
    }
    std::sort(found.begin(), found.end(), is_nearer);
    found.resize(std::min(found.size(), explored_));
}

void GraphBuilder::choose_links(std::uint32_t node, std::span<const std::uint32_t> mates, NodeLinks &links) {
    const unsigned level = graph_.level(node);
    const unsigned top = graph_.top();
    links.resize(std::min(top, level) + 1);
    std::vector<std::byte> cells;
    const QueryRow query = space_.row(node, cells);
    Found from{0, graph_.entry()};
    space_.keys(query, &from.node, 1, &from.key);
    for (unsigned above = top; above > level; --above) {
        from = descend(graph_, space_, query, from, above, memory_);
    }
    for (auto at = static_cast<unsigned>(links.size()); at-- > 0;) {
        const auto found = explore(graph_, space_, query, from, at, explored_, memory_);
        memory_.found.assign(found.begin(), found.end());
        from = memory_.found.front();
        // A node that is inserted again may be found itself.
        std::erase_if(memory_.found, [&](const Found &other) { return other.node == node; });
        if (!mates.empty()) {
            add_mates(query, mates, at);
        }
        const auto selected = select(memory_.found, graph_.links(1));
        links[at].assign(selected.begin(), selected.end());
    }
}

void GraphBuilder::insert(std::uint32_t node) {
    if (graph_.entry() == Graph::none) {
        graph_.set_entry(node);
        return;
    }
    choose_links(node, {}, links_);
    for (unsigned level = 0; level < links_.size(); ++level) {
        graph_.set(node, level, links_[level]);
        for (const std::uint32_t link : links_[level]) {
            link_back(link, std::span(&node, 1), level);
        }
    }
    if (graph_.level(node) > graph_.top()) {
        graph_.set_entry(node);
    }
}

}  // namespace tenrex::retrieval
