#include "lib/retrieval/graph.h"

#include <algorithm>
#include <utility>

namespace tenrex::retrieval {

namespace {

std::uint64_t mixed(std::uint64_t value) noexcept {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

}  // namespace

Graph::Graph(std::size_t links, std::uint64_t seed)
    : links_(links), base_stride_((2 * links + numbers_of_line - 1) / numbers_of_line * numbers_of_line), seed_(seed) {}

// Of `links` nodes one has the next level, too.
unsigned Graph::level(std::uint32_t node) const noexcept {
    double chance = static_cast<double>(mixed(seed_ ^ mixed(node)) >> 11) * 0x1p-53;
    unsigned level = 0;
    for (; level < most_levels && chance * static_cast<double>(links_) < 1; ++level) {
        chance *= static_cast<double>(links_);
    }
    return level;
}

void Graph::add_places(std::size_t nodes) {
    upper_at_.reserve(nodes);
    for (std::size_t node = upper_at_.size(); node < nodes; ++node) {
        upper_at_.push_back(upper_blocks_);
        upper_blocks_ += level(static_cast<std::uint32_t>(node));
    }
}

std::size_t Graph::upper_bytes(std::size_t nodes) const noexcept {
    std::size_t blocks = 0;
    for (std::size_t node = 0; node < nodes; ++node) {
        blocks += level(static_cast<std::uint32_t>(node));
    }
    return blocks * links_ * sizeof(std::uint32_t);
}

bool Graph::reserve(std::size_t nodes) {
    upper_at_.reserve(nodes);
    return base_.reserve(base_bytes(nodes));
}

bool Graph::resize(std::size_t nodes) {
    const std::size_t base = base_.size();
    const std::size_t upper = upper_.size();
    add_places(nodes);
    if (!base_.resize(base_bytes(nodes)) || !upper_.resize(upper_blocks_ * links_ * sizeof(std::uint32_t))) {
        return false;
    }
    std::fill(base_.writable<std::byte>() + base, base_.writable<std::byte>() + base_.size(), std::byte{0xFF});
    std::fill(upper_.writable<std::byte>() + upper, upper_.writable<std::byte>() + upper_.size(), std::byte{0xFF});
    return true;
}

std::span<const std::uint32_t> Graph::block(std::uint32_t node, unsigned level) const noexcept {
    return level == 0 ? std::span(base_.as<std::uint32_t>() + node * base_stride_, 2 * links_)
                      : std::span(upper_.as<std::uint32_t>() + (upper_at_[node] + level - 1) * links_, links_);
}

std::span<const std::uint32_t> Graph::neighbours(std::uint32_t node, unsigned level) const noexcept {
    const auto all = block(node, level);
    return all.first(static_cast<std::size_t>(std::find(all.begin(), all.end(), none) - all.begin()));
}

std::uint32_t *Graph::writable_block(std::uint32_t node, unsigned level) noexcept {
    return level == 0 ? base_.writable<std::uint32_t>() + node * base_stride_
                      : upper_.writable<std::uint32_t>() + (upper_at_[node] + level - 1) * links_;
}

void Graph::set(std::uint32_t node, unsigned level, std::span<const std::uint32_t> links) {
    std::uint32_t *const block = writable_block(node, level);
    std::fill(std::copy(links.begin(), links.end(), block), block + this->links(level), none);
}

std::size_t Graph::owned_bytes() const noexcept {
    return base_.owned_bytes() + upper_.owned_bytes() + upper_at_.capacity() * sizeof(upper_at_[0]);
}

bool Graph::are_good(std::span<const std::uint32_t> block, unsigned level) const noexcept {
    return std::all_of(block.begin(), block.end(), [&](std::uint32_t link) {
        return link == none || (link < nodes() && (level == 0 || this->level(link) >= level));
    });
}

const char *Graph::adopt(Storage base, Storage upper, std::size_t nodes, std::uint32_t entry) {
    if (base.size() != base_bytes(nodes) || upper.size() != upper_bytes(nodes)) {
        return "its links are more or fewer than its vectors need";
    }
    base_ = std::move(base);
    upper_ = std::move(upper);
    add_places(nodes);
    if (entry != none && entry >= nodes) {
        return "searches begin at a vector that is not there";
    }
    for (std::size_t i = 0; i < nodes; ++i) {
        const auto node = static_cast<std::uint32_t>(i);
        for (unsigned level = 0; level <= this->level(node); ++level) {
            if (!are_good(block(node, level), level)) {
                return "a link leads to a vector that is not there";
            }
        }
    }
    entry_ = entry;
    return nullptr;
}

}  // namespace tenrex::retrieval
