#include "lib/retrieval/batch_building.h"

#include <algorithm>
#include <atomic>
#include <tuple>

namespace tenrex::retrieval {

namespace {

// Nodes of a batch are compared with all before them in it: a few hundred, beside the thousands that a walk compares. A
// small graph gets small batches, since what they find in it should be near.
constexpr std::size_t most_of_batch = 256;
constexpr std::size_t part_of_graph = 16;
constexpr std::size_t most_threads = 256;

std::size_t batch_size(std::size_t linked) noexcept {
    return std::clamp(linked / part_of_graph, std::size_t{1}, most_of_batch);
}

}  // namespace

template <class Work>
void BatchBuilder::each(std::size_t count, const Work &work) {
    const std::size_t concurrency = executor_ == nullptr ? 1 : executor_->concurrency();
    const std::size_t threads = std::max(std::min({concurrency, most_threads, count}), std::size_t{1});
    while (workers_.size() < threads) {
        workers_.push_back(std::make_unique<Worker>(graph_, space_, removed_, explored_));
    }
    std::atomic<std::size_t> next = 0;
    const auto take = [&](std::size_t thread) {
        for (std::size_t i = next.fetch_add(1, std::memory_order_relaxed); i < count;
             i = next.fetch_add(1, std::memory_order_relaxed)) {
            work(workers_[thread]->builder, i);
        }
    };
    if (threads == 1) {
        take(0);
    } else {
        executor_->parallel_for(threads, ParallelTask(take));
    }
}

void BatchBuilder::insert(std::span<const std::uint32_t> nodes, std::size_t linked) {
    while (!nodes.empty()) {
        std::size_t count = 1;
        // A node with a level that the graph has not becomes its entry: no other is linked beside it.
        const auto is_higher = [&](std::uint32_t node) { return graph_.level(node) > graph_.top(); };
        if (graph_.entry() == Graph::none || is_higher(nodes.front())) {
            each(1, [&](GraphBuilder &builder, std::size_t) { builder.insert(nodes.front()); });
        } else {
            const auto batch = nodes.first(std::min(nodes.size(), batch_size(linked)));
            count = static_cast<std::size_t>(std::find_if(batch.begin(), batch.end(), is_higher) - batch.begin());
            insert_batch(batch.first(count));
        }
        nodes = nodes.subspan(count);
        linked += count;
    }
}

void BatchBuilder::insert_batch(std::span<const std::uint32_t> nodes) {
    chosen_.resize(std::max(chosen_.size(), nodes.size()));
    each(nodes.size(),
         [&](GraphBuilder &builder, std::size_t i) { builder.choose_links(nodes[i], nodes.first(i), chosen_[i]); });
    back_links_.clear();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (unsigned level = 0; level < chosen_[i].size(); ++level) {
            graph_.set(nodes[i], level, chosen_[i][level]);
            for (const std::uint32_t link : chosen_[i][level]) {
                back_links_.push_back({link, nodes[i], level});
            }
        }
    }
    link_back();
}

// One thread has all links of a node and level.
void BatchBuilder::link_back() {
    const auto place = [](const BackLink &link) { return std::tie(link.from, link.level); };
    std::stable_sort(back_links_.begin(), back_links_.end(),
                     [&](const BackLink &x, const BackLink &y) { return place(x) < place(y); });
    std::vector<std::size_t> begins;
    std::vector<std::uint32_t> to(back_links_.size());
    for (std::size_t i = 0; i < back_links_.size(); ++i) {
        to[i] = back_links_[i].to;
        if (i == 0 || place(back_links_[i - 1]) != place(back_links_[i])) {
            begins.push_back(i);
        }
    }
    begins.push_back(back_links_.size());
    each(begins.size() - 1, [&](GraphBuilder &builder, std::size_t i) {
        const BackLink &first = back_links_[begins[i]];
        builder.link_back(first.from, std::span(to).subspan(begins[i], begins[i + 1] - begins[i]), first.level);
    });
}

}  // namespace tenrex::retrieval
