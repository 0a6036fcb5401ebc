#include "lib/ir/blocks.h"

#include <algorithm>

namespace tenrex::ir {

namespace {

bool keeps_blocks(const Graph &graph, const Node &node) {
    if (has_trait(node.op, Trait::keeps_blocks)) {
        return true;
    }
    const auto is_indexed = [&](const std::string &name) {
        const TensorType &type = *graph[node.operands[0]].type;
        return type.dimensions()[*type.find(name)].is_indexed();
    };
    if (node.op == Op::rename) {
        const std::vector<std::string> &renamed = node.as<Rename>().from;
        return std::all_of(renamed.begin(), renamed.end(), is_indexed);
    }
    if (node.op != Op::peek) {
        return false;
    }
    // A computed index may not exist, and if none does the block is missing.
    const std::vector<PeekPart> &parts = node.as<Peek>().parts;
    return std::all_of(parts.begin(), parts.end(),
                       [&](const PeekPart &part) { return part.computed == 0 && is_indexed(part.dimension); });
}

}  // namespace

bool has_blocks_of(const Graph &graph, NodeId value, NodeId with) {
    while (value != with) {
        const Node &node = graph[value];
        if (!keeps_blocks(graph, node)) {
            return false;
        }
        value = node.operands[0];
    }
    return true;
}

}  // namespace tenrex::ir
