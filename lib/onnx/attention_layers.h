// Layers of attention in a graph: the weights that have cells for each head, and the numbers that say how many heads
// there are.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/result.h>

#include "lib/onnx/graph_values.h"
#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

// An input of a node, by their numbers.
struct NodeInput {
    std::size_t node = 0;
    std::size_t input = 0;

    auto operator<=>(const NodeInput &) const = default;
};

// Where a constant is read.
struct ConstantUse {
    NodeInput reader;
    // A node between the constant and its reader, such as a transposition: where the constant goes in.
    std::optional<NodeInput> between;
    const TensorData *data = nullptr;
};

struct HeadWeights {
    ConstantUse use;
    std::size_t axis = 0;  // along it stand the cells of all heads, once or several times
};

// An element of a shape or of a list of sizes.
struct HeadCount {
    ConstantUse use;
    std::size_t place = 0;
    bool is_width = false;  // the cells of all heads, else the number of heads
};

struct AttentionLayer {
    std::string_view name;
    std::size_t heads = 0;
    std::size_t cells = 0;  // of a head
    HeadWeights output;     // of the product behind attention, whose rows are heads
    std::vector<HeadWeights> weights;
    std::vector<HeadCount> counts;
    std::vector<std::pair<std::size_t, std::string_view>> attributes;  // of nodes, that are numbers of heads
    std::set<std::size_t> nodes;                                       // whose values may have other shapes with fewer
};

// In the order of the graph. The values must outlive them. Errors: there are none; heads that several queries share.
Result<std::vector<AttentionLayer>> find_attention(const Model &model, const GraphValues &values);

}  // namespace tenrex::onnx
