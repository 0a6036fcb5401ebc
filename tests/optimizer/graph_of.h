// Expressions as graphs, before and after passes.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/schema.h>

#include "lib/ir/build.h"
#include "lib/ir/text.h"
#include "lib/ir/verify.h"
#include "lib/sema/check.h"
#include "lib/syntax/parser.h"
#include "optimizer/pass_manager.h"

namespace tenrex::optimizer {

// The graph of an expression as it is built; a failure and an empty graph if there is none.
inline ir::Graph built(std::string_view text, const Schema &schema) {
    const auto ast = syntax::parse(text);
    if (!ast) {
        ADD_FAILURE() << ast.error().message();
        return {};
    }
    const auto typed = sema::check(*ast, schema);
    if (!typed) {
        ADD_FAILURE() << typed.error().message();
        return {};
    }
    auto graph = ir::build(*typed);
    if (!graph) {
        ADD_FAILURE() << graph.error().message();
        return {};
    }
    return *std::move(graph);
}

inline void run(const Pass &pass, ir::Graph &graph) {
    pass.run(graph);
    EXPECT_EQ(ir::violation(graph), std::nullopt) << "after " << pass.name << ":\n" << ir::to_string(graph);
}

// After the passes before the first that has the name, and, if wanted, that one too.
inline ir::Graph optimized(std::string_view text, const Schema &schema, std::string_view name, bool with_it) {
    ir::Graph graph = built(text, schema);
    for (const Pass &pass : pipeline()) {
        if (pass.name != name) {
            run(pass, graph);
            continue;
        }
        if (with_it) {
            run(pass, graph);
        }
        return graph;
    }
    ADD_FAILURE() << "there is no pass " << name;
    return graph;
}

// The graph after the pass and those before it.
inline std::string after(std::string_view pass, std::string_view text, const Schema &schema) {
    return "\n" + ir::to_string(optimized(text, schema, pass, true));
}

// Whether the pass finds anything to do.
inline bool changes(std::string_view pass, std::string_view text, const Schema &schema) {
    return ir::to_string(optimized(text, schema, pass, false)) != ir::to_string(optimized(text, schema, pass, true));
}

}  // namespace tenrex::optimizer
