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

// What the outputs need of a graph.
struct Needed {
    std::vector<std::uint32_t> uses;  // of each node
    ir::OpSet ops = 0;

    void find(const ir::Graph &graph) {
        uses = graph.use_counts();
        ops = graph.ops(uses);
    }
    bool is_little() const {
        constexpr std::size_t many = 1000;
        const auto is_used = [](std::uint32_t count) { return count != 0; };
        return uses.size() >= many &&
               static_cast<std::size_t>(std::count_if(uses.begin(), uses.end(), is_used)) < uses.size() / 4;
    }
};

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
        constexpr std::size_t few = 8;  // find something
        reports->reserve(few);
    }
    std::vector<ir::NodeId> outputs;
    Needed needed;
    needed.find(graph);
    for (const Pass &pass : passes) {
        PassReport report{pass.name, false, false};
        report.disabled =
            std::find(options.disabled.begin(), options.disabled.end(), pass.name) != options.disabled.end();
        if (!report.disabled && (needed.ops & pass.looks_for) != 0) {
            outputs.clear();
            for (const ir::GraphOutput &output : graph.outputs()) {
                outputs.push_back(output.node);
            }
            const auto known = static_cast<ir::NodeId>(graph.size());
            PassRun run{needed.uses, options.costs};
            pass.run(graph, run);
            report.remarks = std::move(run.remarks);
            // What a pass tried and gave up is out of reach of the outputs.
            report.changed =
                !std::equal(outputs.begin(), outputs.end(), graph.outputs().begin(), graph.outputs().end(),
                            [](ir::NodeId node, const ir::GraphOutput &output) { return node == output.node; });
            if (const std::optional<std::string> violation = verifier.violation(graph, known)) {
                return wrong_graph(fmt::format("the optimization '{}'", pass.name), *violation,
                                   "this is a mistake in Tenrex; please report it, and disable the optimization");
            }
            if (report.changed) {
                needed.find(graph);
                if (needed.is_little()) {  // each pass looks at all nodes
                    graph = graph.reachable();
                    needed.find(graph);
                }
            } else {
                needed.uses.resize(graph.size(), 0);
            }
        }
        if (reports != nullptr && report.tells()) {
            reports->push_back(std::move(report));
        }
    }
    return graph;
}

}  // namespace tenrex::optimizer
