// Graphs for people: as text, one node a line, and as a drawing for Graphviz.
#pragma once

#include <string>

#include "lib/ir/graph.h"

namespace tenrex::ir {

// Only what the outputs reach, numbered from 0, operands before users:
//   %0 = input "query(q)" : tensor<float>(x[3]) query
//   %1 = input "d" : tensor<int8>(x[3]) document
//   %2 = contract multiply sum (x) %0 %1 : double document
//   return %2
std::string to_string(const Graph &graph);

// A digraph in Graphviz's language; colours tell constant, query and document nodes apart.
std::string to_dot(const Graph &graph);

}  // namespace tenrex::ir
