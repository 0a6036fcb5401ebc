// Graphs as text, one node a line, and as a drawing for Graphviz.
#pragma once

#include <string>
#include <string_view>

#include <tenrex/result.h>
#include <tenrex/schema.h>

#include "lib/ir/graph.h"

namespace tenrex::ir {

enum class TextStyle : std::uint8_t {
    brief,  // for people: large constants and packed cells are told by their number
    exact,  // everything: read_graph reads it back
};

// Only what the outputs reach, numbered from 0, operands before users:
//   %0 = input "query(q)" : tensor<float>(x[3]) query
//   %1 = input "d" : tensor<int8>(x[3]) document
//   %2 = contract * sum (x) %0 %1 : double document
//   return %2
std::string to_string(const Graph &graph, TextStyle style = TextStyle::brief);

// The graph of a text in the exact style. User functions are those of the schema. Errors: the number of the line, and
// what is wrong with it or with the node that it describes.
Result<Graph> read_graph(std::string_view text, const Schema &schema = {});

// A digraph in Graphviz's language; colours tell constant, query and document nodes apart.
std::string to_dot(const Graph &graph);

}  // namespace tenrex::ir
