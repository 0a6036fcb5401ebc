// What must hold of every graph: checked after each pass.
#pragma once

#include <optional>
#include <string>

#include "lib/ir/graph.h"
#include "lib/ir/infer.h"

namespace tenrex::ir {

// Its memory is used again and again, so one verifier serves all passes.
class Verifier {
public:
    // The first violation by nodes from number `first` on or by the outputs, or nothing: operands exist and come before
    // their users, their number, their types and the payload fit the operation, the type is the one that infer() gives,
    // the stage is the latest of the operands. Nodes never change, so those that were verified once need not be again.
    // Takes time in proportion to the nodes and their dimensions.
    std::optional<std::string> violation(const Graph &graph, NodeId first = 0);

private:
    std::optional<std::string> of_type(const Graph &graph, const Node &node);

    InferenceRoom room_;
};

}  // namespace tenrex::ir
