// Texts with numbers, found by their beginning: a double array, in which the child of node s for byte b is node
// base[s] + b if that one's check is s.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tenrex::text {

class Trie {
public:
    using Node = std::uint32_t;
    static constexpr Node root = 0;
    static constexpr Node none = UINT32_MAX;
    static constexpr std::uint32_t no_value = UINT32_MAX;

    Trie() : cells_(1) {}
    // Of equal keys the last one counts.
    explicit Trie(std::vector<std::pair<std::string_view, std::uint32_t>> entries);

    Node child(Node node, char byte) const noexcept {
        const std::size_t next = cells_[node].base + static_cast<unsigned char>(byte);
        return next < cells_.size() && cells_[next].check == node ? static_cast<Node>(next) : none;
    }
    std::uint32_t value(Node node) const noexcept { return cells_[node].value; }

    struct Match {
        std::size_t length = 0;
        std::uint32_t value = no_value;
    };
    // The longest entry that the text begins with.
    Match longest(std::string_view text) const noexcept {
        Match match;
        Node node = root;
        for (std::size_t i = 0; i < text.size(); ++i) {
            node = child(node, text[i]);
            if (node == none) {
                break;
            }
            if (value(node) != no_value) {
                match = {i + 1, value(node)};
            }
        }
        return match;
    }
    // The value of an entry; no_value: there is none.
    std::uint32_t find(std::string_view text) const noexcept {
        Node node = root;
        for (const char byte : text) {
            node = child(node, byte);
            if (node == none) {
                return no_value;
            }
        }
        return value(node);
    }

private:
    struct Cell {
        std::uint32_t base = 0;
        std::uint32_t check = none;  // the parent; none: the cell is free
        std::uint32_t value = no_value;
    };

    std::vector<Cell> cells_;

    friend class TrieBuilder;
};

}  // namespace tenrex::text
