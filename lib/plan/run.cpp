#include "lib/plan/run.h"

#include <chrono>

#include "lib/support/format.h"

namespace tenrex::plan {

bool time_program(const Program &program, Frame &frame, std::span<double> seconds) {
    using Clock = std::chrono::steady_clock;
    auto begin = Clock::now();
    for (std::size_t i = 0; i < program.size(); ++i) {
        program[i]->run(frame);
        const auto end = Clock::now();
        seconds[i] += std::chrono::duration<double>(end - begin).count();
        begin = end;
        if (frame.too_large) {
            return false;
        }
    }
    return true;
}

Error too_large(std::string_view what, const Limits &limits) {
    return Error(fmt::format("{} has more than {} cells", what, limits.evaluation_cells),
                 "work on smaller tensors, or raise Limits::evaluation_cells");
}

bool run_constants(Plan &plan) {
    Store &store = plan.constant_store;
    prepare(store, plan, Stage::constant);
    for (const ConstantValue &constant : plan.constants) {
        load_tensor(store, constant.cells, constant.index, constant.tensor->view(),
                    [&](std::string_view text) { return plan.labels->intern(text); });
    }
    Scratch scratch;
    const LabelTexts texts(plan.labels.get(), nullptr);
    Frame frame = make_frame(plan, nullptr, nullptr, scratch, &texts);
    return run_program(plan.programs[static_cast<int>(Stage::constant)], frame);
}

}  // namespace tenrex::plan
