#include "lib/plan/run.h"

namespace tenrex::plan {

bool run_program(const Program &program, Frame &frame) {
    for (const auto &step : program) {
        step->run(frame);
        if (frame.too_large) {
            return false;
        }
    }
    return true;
}

bool run_constants(Plan &plan) {
    Store &store = plan.constant_store;
    prepare(store, plan.shapes[static_cast<int>(Stage::constant)], Stage::constant);
    for (const ConstantValue &constant : plan.constants) {
        load_tensor(store, constant.cells, constant.index, constant.tensor->view(),
                    [&](std::string_view text) { return plan.labels->intern(text); });
    }
    Scratch scratch;
    const LabelTexts texts(plan.labels.get(), nullptr);
    Frame frame;
    frame.stores[static_cast<int>(Stage::constant)] = &store;
    frame.scratch = &scratch;
    frame.labels = &texts;
    frame.most_cells = plan.limits.evaluation_cells;
    return run_program(plan.programs[static_cast<int>(Stage::constant)], frame);
}

}  // namespace tenrex::plan
