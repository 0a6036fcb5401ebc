// What is computed when, in the words of the expression.
#pragma once

#include <string>

#include "lib/ir/graph.h"
#include "lib/runtime/source_text.h"

namespace tenrex {

// For each stage the largest parts of the text that are known with it and not before, with their places. Empty without
// a text.
std::string when_text(const ir::Graph &graph, const SourcePlaces &places);

}  // namespace tenrex
