#include <fmt/format.h>

#include "lib/runtime/plan_content.h"

namespace tenrex {

std::string Plan::explain(const ExplainOptions &) const {
    const plan::Plan &plan = *content_->plan;
    std::string text;
    for (Stage stage : {Stage::constant, Stage::query, Stage::document}) {
        const plan::Program &program = plan.programs[static_cast<int>(stage)];
        text += fmt::format("{}: {} steps\n", name(stage), program.size());
        for (const auto &step : program) {
            text += fmt::format("  {}\n", step->describe());
        }
    }
    text += fmt::format("instruction sets: {}\n", kernels::to_string(content_->isa));
    text += fmt::format("{} documents at a time, {} bytes for their values\n", plan.piece,
                        plan.shapes[static_cast<int>(Stage::document)].planned_bytes);
    return text;
}

}  // namespace tenrex
