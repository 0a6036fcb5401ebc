#include "tests/optimizer/graph_of.h"

#include <optional>
#include <utility>

#include "lib/ir/text.h"
#include "lib/ir/verify.h"
#include "tests/ir/expression_graph.h"

namespace tenrex::optimizer {

ir::Graph built(std::string_view text, const Schema &schema) {
    auto graph = ir::expression_graph(text, schema);
    if (!graph) {
        ADD_FAILURE() << graph.error().message();
        return {};
    }
    return *std::move(graph);
}

void run(const Pass &pass, ir::Graph &graph) {
    const std::vector<std::uint32_t> uses = graph.use_counts();
    const bool may_change = (graph.ops(uses) & pass.looks_for) != 0;
    const std::vector<ir::GraphOutput> outputs = graph.outputs();
    PassRun run{uses};
    pass.run(graph, run);
    EXPECT_TRUE(may_change || graph.outputs() == outputs) << pass.name << " changes what it need not run for";
    EXPECT_EQ(ir::Verifier().violation(graph), std::nullopt) << "after " << pass.name << ":\n" << ir::to_string(graph);
}

ir::Graph optimized(std::string_view text, const Schema &schema, std::string_view name, bool with_it) {
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

std::string after(std::string_view pass, std::string_view text, const Schema &schema) {
    return "\n" + ir::to_string(optimized(text, schema, pass, true));
}

std::vector<std::string> remarks_of(std::string_view pass, std::string_view text, const Schema &schema) {
    ir::Graph graph = optimized(text, schema, pass, false);
    const std::vector<std::uint32_t> uses = graph.use_counts();
    PassRun run{uses};
    for (const Pass &each : pipeline()) {
        if (each.name == pass) {
            each.run(graph, run);
        }
    }
    std::vector<std::string> reasons;
    for (const Remark &remark : run.remarks) {
        reasons.emplace_back(remark.reason);
    }
    return reasons;
}

bool changes(std::string_view pass, std::string_view text, const Schema &schema) {
    return ir::to_string(optimized(text, schema, pass, false)) != ir::to_string(optimized(text, schema, pass, true));
}

}  // namespace tenrex::optimizer
