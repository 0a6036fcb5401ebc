#include "lib/text/trie.h"

#include <algorithm>

namespace tenrex::text {

// Places the children of one node after the other, each at the first place where all of them find a free cell.
class TrieBuilder {
public:
    using Entries = std::vector<std::pair<std::string_view, std::uint32_t>>;

    TrieBuilder(const Entries &entries, std::vector<Trie::Cell> &cells) : entries_(entries), cells_(cells) {
        cells_.assign(512, {});
        cells_[Trie::root].check = Trie::none - 1;  // not free, and nobody's child
    }

    void run() {
        open_.push_back({Trie::root, 0, entries_.size(), 0});
        while (!open_.empty()) {
            const Open node = open_.back();
            open_.pop_back();
            place(node);
        }
    }

private:
    // A node, the entries below it, and how many bytes they have in common.
    struct Open {
        Trie::Node node;
        std::size_t begin;
        std::size_t end;
        std::size_t depth;
    };
    struct Child {
        unsigned char byte;
        std::size_t begin;
        std::size_t end;
    };

    void place(Open open) {
        if (open.begin < open.end && entries_[open.begin].first.size() == open.depth) {
            cells_[open.node].value = entries_[open.begin].second;
            ++open.begin;
        }
        children_.clear();
        for (std::size_t i = open.begin; i < open.end;) {
            const std::size_t begin = i;
            const char byte = entries_[i].first[open.depth];
            while (i < open.end && entries_[i].first[open.depth] == byte) {
                ++i;
            }
            children_.push_back({static_cast<unsigned char>(byte), begin, i});
        }
        if (children_.empty()) {
            cells_[open.node].base = 0;
            return;
        }
        const std::uint32_t base = free_base();
        cells_[open.node].base = base;
        for (const Child &child : children_) {
            const Trie::Node node = base + child.byte;
            cells_[node].check = open.node;
            open_.push_back({node, child.begin, child.end, open.depth + 1});
        }
    }

    std::uint32_t free_base() {
        const unsigned char first = children_.front().byte;
        std::size_t used = 0;
        for (std::size_t cell = std::max<std::size_t>(search_from_, first + std::size_t{1});; ++cell) {
            grow(cell + 256);
            if (cells_[cell].check != Trie::none) {
                ++used;
                continue;
            }
            const std::size_t base = cell - first;
            if (std::all_of(children_.begin(), children_.end(),
                            [&](const Child &child) { return cells_[base + child.byte].check == Trie::none; })) {
                // A stretch that is nearly full is not looked at again.
                if (used * 20 >= (cell - search_from_ + 1) * 19 && cell > search_from_) {
                    search_from_ = cell;
                }
                return static_cast<std::uint32_t>(base);
            }
        }
    }

    void grow(std::size_t size) {
        if (cells_.size() <= size) {
            cells_.resize(std::max(size + 1, cells_.size() + cells_.size() / 2));
        }
    }

    const Entries &entries_;
    std::vector<Trie::Cell> &cells_;
    std::vector<Open> open_;
    std::vector<Child> children_;
    std::size_t search_from_ = 1;
};

Trie::Trie(std::vector<std::pair<std::string_view, std::uint32_t>> entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    // The last of equal keys stays.
    std::reverse(entries.begin(), entries.end());
    entries.erase(
        std::unique(entries.begin(), entries.end(), [](const auto &a, const auto &b) { return a.first == b.first; }),
        entries.end());
    std::reverse(entries.begin(), entries.end());
    TrieBuilder(entries, cells_).run();
    cells_.shrink_to_fit();
}

}  // namespace tenrex::text
