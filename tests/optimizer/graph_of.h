// Expressions as graphs, before and after passes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/schema.h>

#include "lib/ir/graph.h"
#include "optimizer/pass_manager.h"

namespace tenrex::optimizer {

// The graph of an expression as it is built; a failure and an empty graph if there is none.
ir::Graph built(std::string_view text, const Schema &schema);

void run(const Pass &pass, ir::Graph &graph);

// After the passes before the first that has the name, and, if wanted, that one too.
ir::Graph optimized(std::string_view text, const Schema &schema, std::string_view name, bool with_it);

// The graph after the pass and those before it.
std::string after(std::string_view pass, std::string_view text, const Schema &schema);

// Why the pass left something alone, after those before it.
std::vector<std::string> remarks_of(std::string_view pass, std::string_view text, const Schema &schema);

// Whether the pass finds anything to do.
bool changes(std::string_view pass, std::string_view text, const Schema &schema);

}  // namespace tenrex::optimizer
