#include "optimizer/pass_manager.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lib/ir/verify.h"
#include "lib/support/format.h"

namespace tenrex::optimizer {

namespace {

Error wrong_graph(std::string_view culprit, std::string_view violation, std::string hint) {
    return Error(fmt::format("{} has made a graph that makes no sense: {}", culprit, violation), std::move(hint));
}

// Each pass looks at all nodes.
ir::Graph without_most_unreachable(ir::Graph graph) {
    constexpr std::size_t many = 1000;
    if (graph.size() < many) {
        return graph;
    }
    const std::vector<std::uint32_t> uses = graph.use_counts();
    const auto reached = graph.size() - static_cast<std::size_t>(std::count(uses.begin(), uses.end(), 0u));
    return reached < graph.size() / 4 ? graph.reachable() : std::move(graph);
}

}  // namespace

Result<ir::Graph> optimize(ir::Graph graph, const PassManagerOptions &options, std::vector<PassReport> *reports) {
    return optimize(std::move(graph), pipeline(), options, reports);
}

Result<ir::Graph> optimize(ir::Graph graph, std::span<const Pass> passes, const PassManagerOptions &options,
                           std::vector<PassReport> *reports) {
    ir::Verifier verifier;
    if (const std::optional<std::string> violation = verifier.violation(graph)) {
        return wrong_graph("the compiler", *violation, "this is a mistake in Tenrex; please report it");
    }
    if (reports != nullptr) {
        reports->reserve(passes.size());
    }
    std::vector<ir::GraphOutput> outputs;
    for (const Pass &pass : passes) {
        PassReport report{pass.name, false, false};
        report.disabled =
            std::find(options.disabled.begin(), options.disabled.end(), pass.name) != options.disabled.end();
        if (!report.disabled && (graph.ops() & pass.looks_for) != 0) {
            outputs = graph.outputs();
            const auto known = static_cast<ir::NodeId>(graph.size());
            PassRun run{options.costs};
            pass.run(graph, run);
            report.remarks = std::move(run.remarks);
            // What a pass tried and gave up is out of reach of the outputs.
            report.changed = graph.outputs() != outputs;
            if (const std::optional<std::string> violation = verifier.violation(graph, known)) {
                return wrong_graph(fmt::format("the optimization '{}'", pass.name), *violation,
                                   "this is a mistake in Tenrex; please report it, and disable the optimization");
            }
            if (report.changed) {
                graph = without_most_unreachable(std::move(graph));
            }
        }
        if (reports != nullptr) {
            reports->push_back(std::move(report));
        }
    }
    return graph;
}

}  // namespace tenrex::optimizer
