// The links of a navigable small world in levels: each node has a place on the lowest level, a few have one on higher
// ones, where links are long. A place is a block of numbers of nodes, filled up with `none`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/retrieval/storage.h"

namespace tenrex::retrieval {

class Graph {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    static constexpr unsigned most_levels = 12;

    Graph() = default;
    Graph(std::size_t links, std::uint64_t seed);

    // Most links of a node.
    std::size_t links(unsigned level) const noexcept { return level == 0 ? 2 * links_ : links_; }
    std::size_t nodes() const noexcept { return upper_at_.size(); }
    // How many levels above the lowest the node has: a function of the seed and its number.
    unsigned level(std::uint32_t node) const noexcept;

    bool reserve(std::size_t nodes);
    // New nodes have no links.
    bool resize(std::size_t nodes);

    // The room for links, ended by the first that is `none` if it is not full.
    std::span<const std::uint32_t> block(std::uint32_t node, unsigned level) const noexcept;
    std::span<const std::uint32_t> neighbours(std::uint32_t node, unsigned level) const noexcept;
    void set(std::uint32_t node, unsigned level, std::span<const std::uint32_t> links);
    // Asks for the block of the lowest level. Inlined always: GCC takes a function that does nothing else for one that
    // does nothing, and leaves the call out.
    [[gnu::always_inline]] void fetch(std::uint32_t node) const noexcept {
        const std::uint32_t *const block = base_.as<std::uint32_t>() + node * base_stride_;
        for (std::size_t i = 0; i < base_stride_; i += numbers_of_line) {
            __builtin_prefetch(block + i);
        }
    }

    // Where searches begin; none: there is no node.
    std::uint32_t entry() const noexcept { return entry_; }
    unsigned top() const noexcept { return entry_ == none ? 0 : level(entry_); }
    void set_entry(std::uint32_t node) noexcept { entry_ = node; }

    std::size_t owned_bytes() const noexcept;
    // What a file has: the blocks of the lowest level and those of the higher ones.
    const Storage &base() const noexcept { return base_; }
    const Storage &upper() const noexcept { return upper_; }
    std::size_t base_bytes(std::size_t nodes) const noexcept { return nodes * base_stride_ * sizeof(std::uint32_t); }
    std::size_t upper_bytes(std::size_t nodes) const noexcept;
    // Null, or what is wrong with links that come from elsewhere. Takes them if they are good.
    const char *adopt(Storage base, Storage upper, std::size_t nodes, std::uint32_t entry);

private:
    static constexpr std::size_t numbers_of_line = cache_line / sizeof(std::uint32_t);

    std::uint32_t *writable_block(std::uint32_t node, unsigned level) noexcept;
    bool are_good(std::span<const std::uint32_t> block, unsigned level) const noexcept;
    void add_places(std::size_t nodes);

    std::size_t links_ = 0;
    std::size_t base_stride_ = 0;  // numbers from one block of the lowest level to the next
    std::uint64_t seed_ = 0;
    std::uint32_t entry_ = none;
    Storage base_;
    Storage upper_;
    std::vector<std::uint64_t> upper_at_;  // of each node the number of its first block on a higher level
    std::uint64_t upper_blocks_ = 0;
};

}  // namespace tenrex::retrieval
