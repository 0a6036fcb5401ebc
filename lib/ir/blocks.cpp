#include "lib/ir/blocks.h"

#include <algorithm>

namespace tenrex::ir {

namespace {

bool keeps_blocks(const Graph &graph, const Node &node) {
    if (node.op == Op::slice || node.op == Op::cast) {
        return true;
    }
    const auto is_indexed = [&](const std::string &name) {
        const TensorType &type = *graph[node.operands[0]].type;
        return type.dimensions()[*type.find(name)].is_indexed();
    };
    const Attributes &attributes = *node.attributes;
    if (node.op == Op::rename) {
        return std::all_of(attributes.dimensions.begin(), attributes.dimensions.end(), is_indexed);
    }
    // A computed index may not exist, and if none does the block is missing.
    return node.op == Op::peek &&
           std::all_of(attributes.parts.begin(), attributes.parts.end(),
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
