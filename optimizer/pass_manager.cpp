#include "optimizer/pass_manager.h"

#include <algorithm>
#include <cassert>

#include "lib/ir/verify.h"

namespace tenrex::optimizer {

ir::Graph optimize(ir::Graph graph, const PassManagerOptions &options, std::vector<PassReport> *reports) {
    for (const Pass &pass : pipeline()) {
        PassReport report{pass.name, false, false};
        report.disabled =
            std::find(options.disabled.begin(), options.disabled.end(), pass.name) != options.disabled.end();
        if (!report.disabled && (graph.ops() & pass.looks_for) != 0) {
            const std::vector<ir::GraphOutput> outputs = graph.outputs();
            pass.run(graph);
            // What a pass tried and gave up is out of reach of the outputs.
            report.changed = graph.outputs() != outputs;
            assert(!options.verify || !ir::violation(graph));
        }
        if (reports != nullptr) {
            reports->push_back(report);
        }
    }
    return graph;
}

}  // namespace tenrex::optimizer
