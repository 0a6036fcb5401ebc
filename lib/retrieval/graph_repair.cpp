// What removed nodes leave behind.
#include <algorithm>

#include "lib/retrieval/graph_building.h"

namespace tenrex::retrieval {

void GraphBuilder::mend(std::uint32_t node, unsigned level) {
    const auto links = graph_.neighbours(node, level);
    if (std::none_of(links.begin(), links.end(), [&](std::uint32_t link) { return removed_.contains(link); })) {
        return;
    }
    others_.clear();
    for (const std::uint32_t link : links) {
        if (!removed_.contains(link)) {
            others_.push_back(link);
            continue;
        }
        for (const std::uint32_t beyond : graph_.neighbours(link, level)) {
            if (!removed_.contains(beyond) && beyond != node) {
                others_.push_back(beyond);
            }
        }
    }
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    choose_anew(node, level, others_);
}

// A node of the highest level.
void GraphBuilder::choose_entry() {
    std::uint32_t best = Graph::none;
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
        if (!removed_.contains(node) && (best == Graph::none || graph_.level(node) > graph_.level(best))) {
            best = node;
        }
    }
    graph_.set_entry(best);
}

void GraphBuilder::forget_removed() {
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
        for (unsigned level = 0; !removed_.contains(node) && level <= graph_.level(node); ++level) {
            mend(node, level);
        }
    }
    if (graph_.entry() != Graph::none && removed_.contains(graph_.entry())) {
        choose_entry();
    }
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
        for (unsigned level = 0; removed_.contains(node) && level <= graph_.level(node); ++level) {
            graph_.set(node, level, {});
        }
    }
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
        if (!removed_.contains(node) && node != graph_.entry() && graph_.neighbours(node, 0).empty()) {
            insert(node);
        }
    }
}

}  // namespace tenrex::retrieval
