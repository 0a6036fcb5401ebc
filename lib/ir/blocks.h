// Which values have blocks at the same addresses.
#pragma once

#include <string>
#include <vector>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// As far as that follows from what values are made of: from each other block by block, by products with what has no
// addresses, or by zeros in the place of blocks that are missing. Values of open dimensions that passed a check of
// their sizes have the same addresses, too.
class AddressOrigins {
public:
    // The graph may grow meanwhile.
    explicit AddressOrigins(const Graph &graph) : graph_(graph) {}

    // Under the same names of their mapped dimensions.
    bool are_same(NodeId a, NodeId b);
    // Under any names: both have one label, and the labels of one are those of the other.
    bool are_same_rows(NodeId a, NodeId b);
    // Two labels, and an address for each pair of those that two values with one label have: a row of one under one
    // name and a row of the other under the other.
    bool are_pairs(NodeId pairs, const std::string &first_name, NodeId first, const std::string &second_name,
                   NodeId second);
    // What the zeros of a `fill` would be added for is there already.
    bool is_filled(NodeId value, NodeId wanted) { return are_same(value, wanted); }

private:
    // The mapped dimensions of a value, in the order of those of the value that its addresses come from.
    struct Origin {
        NodeId root;
        std::vector<std::string> names;
        friend bool operator==(const Origin &, const Origin &) = default;
    };
    // A mapped dimension of a value that others are made of.
    struct Labels {
        NodeId root;
        std::size_t position;
        friend bool operator==(const Labels &, const Labels &) = default;
    };
    struct Addresses {
        Origin own;
        std::vector<std::string> names;  // of the mapped dimensions
        std::vector<Labels> within;      // for each mapped dimension: its labels are these, or some of them
        bool is_product = false;         // every combination of these labels is there
        const Labels &labels(const std::string &name) const;
    };

    const Addresses &of(NodeId id);
    Addresses found(NodeId id) const;
    std::vector<Labels> labels_within(NodeId id, const Origin &own) const;
    bool is_product(NodeId id, const Addresses &own) const;
    // The operand that a node has its addresses from, if they are not its own.
    NodeId operand_with(const Node &node, const Origin &own) const;
    Origin origin(NodeId id) const;
    Origin itself(NodeId id) const;
    // That of all operands with addresses, if these are the same.
    Origin common(NodeId id, std::span<const NodeId> operands) const;
    Origin renamed(const Node &node) const;
    Origin peeked(NodeId id, const Node &node) const;
    Origin filled(NodeId id, const Node &node) const;
    Origin with_size(const Node &node) const;
    // Where a label of a dimension has to be for an address to be there.
    Labels labels_of(NodeId id, const std::string &dimension) const;
    bool has_mapped(NodeId id) const { return graph_[id].type->has_mapped(); }

    const Graph &graph_;
    std::vector<Addresses> all_;  // by node
};

}  // namespace tenrex::ir
