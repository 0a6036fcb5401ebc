// Puts fused operations in the place of patterns: what the passes of optimizer/passes/fuse have in common.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lib/ir/blocks.h"
#include "lib/ir/graph.h"
#include "optimizer/pass.h"

namespace tenrex::optimizer {

// The operation that takes the place of a pattern. Its type is that of the node that ends the pattern.
struct Fused {
    ir::Op op;
    std::vector<ir::NodeId> operands;
    ir::Payload payload;
};

// Whether both types have the same mapped dimensions.
bool has_same_labels(const TensorType &a, const TensorType &b);

// The graph in which patterns are looked for. It does not change meanwhile.
class Patterns {
public:
    Patterns(const ir::Graph &graph, PassRun &run);

    const ir::Graph &graph() const noexcept { return graph_; }
    const ir::Node &operator[](ir::NodeId id) const noexcept { return graph_[id]; }
    const TensorType &type(ir::NodeId id) const noexcept { return *graph_[id].type; }
    // How many nodes and outputs read it. What is read from outside of a pattern, too, is a value of its own.
    std::uint32_t uses(ir::NodeId id) const noexcept { return uses_[id]; }
    // The node that the addresses of this one, which has some, come from: the steps of operations on cells, on rows and
    // on blocks leave them as they are, so the blocks of both follow each other in the same order.
    ir::NodeId origin(ir::NodeId id) const;
    // That of all operands with addresses, if they have the same.
    std::optional<ir::NodeId> common_origin(ir::NodeId id) const;
    // Which nodes have the same addresses, whatever steps find them.
    ir::AddressOrigins &addresses() const noexcept { return addresses_; }
    // The pattern that nearly ends in the node is none, for this reason. It is told with the plan.
    std::nullopt_t refuse(ir::NodeId id, std::string_view reason) const;

private:
    bool keeps_addresses(ir::NodeId id) const;
    bool keeps_addresses(ir::NodeId operand, ir::NodeId result) const;

    const ir::Graph &graph_;
    std::span<const std::uint32_t> uses_;
    mutable ir::AddressOrigins addresses_;
    mutable std::vector<ir::NodeId> origins_;  // of all nodes before those that were not asked for
    std::vector<Remark> &remarks_;
};

// What takes the place of the pattern that ends in a node, if one does. Asked of nodes with the operations that
// patterns end in.
using FindPattern = std::optional<Fused> (*)(const Patterns &patterns, ir::NodeId id);

// Looks for patterns that end in such operations, from the outputs down, so that a part of one is none itself.
void fuse(ir::Graph &graph, PassRun &run, ir::OpSet ends,
          const std::function<std::optional<Fused>(const Patterns &patterns, ir::NodeId id)> &find);

}  // namespace tenrex::optimizer
