// Pictures of what the compiler made of an expression, as SVG.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/plan.h>
#include <tenrex/schema.h>

namespace tenrex::tool {

// A node of an optimized graph, as its text tells: operands come first.
struct GraphNode {
    std::string what;
    std::string type;
    std::string stage;
    std::vector<std::size_t> operands;
};

// The nodes of Plan::graph(), which is the text.
std::vector<GraphNode> graph_nodes(std::string_view text);

// Boxes from the inputs at the top to the result at the bottom. Empty if there are too many for a picture.
std::string graph_picture(const std::vector<GraphNode> &nodes);

// The steps in three lanes: once, once per query, for each document; with a bar for the share of each in the work.
std::string plan_picture(const Plan &plan);

}  // namespace tenrex::tool
