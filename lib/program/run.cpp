#include "lib/program/run.h"

#include <chrono>
#include <cstdint>
#include <cstring>

#include "lib/storage/mapped_tensor.h"
#include "lib/support/format.h"

namespace tenrex::program {

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

Error why_stopped(const Frame &frame, std::optional<std::size_t> first_document, std::string_view what,
                  const Limits &limits) {
    if (frame.unequal == nullptr) {
        return too_large(what, limits);
    }
    const auto &[dimension, first, second] = *frame.unequal;
    const std::string where =
        first_document ? fmt::format("document {}: ", *first_document + frame.unequal_document) : "";
    return Error(fmt::format("{}dimension '{}' has size {} in {} and {} in {}", where, dimension,
                             frame.unequal_sizes[0], first, frame.unequal_sizes[1], second),
                 "values that are joined must have the same size there");
}

Error too_large(std::string_view what, const Limits &limits) {
    return Error(fmt::format("{} has more than {} cells", what, limits.evaluation_cells),
                 "work on smaller tensors, or raise Limits::evaluation_cells");
}

Error too_much(std::string_view what, const Limits &limits) {
    return Error(fmt::format("{} take more than {} bytes, labels and tables included; the limit evaluation_cells is {}",
                             what, most_memory(limits, 1), limits.evaluation_cells),
                 "work on smaller tensors, or raise Limits::evaluation_cells");
}

namespace {

// Cells that stand in a file need not stand where steps can read them.
void align(Cells &cells, const Tensor &tensor) {
    const std::size_t width = byte_size(tensor.type().cell_type());
    if (reinterpret_cast<std::uintptr_t>(cells.data) % width == 0) {
        return;
    }
    const std::size_t bytes = tensor.cell_count() * width;
    std::byte *const copy = cells.own.room(bytes);
    std::memcpy(copy, cells.data, bytes);
    cells.data = copy;
    MappedTensor::let_go_around(tensor);
}

}  // namespace

Status run_constants(Plan &plan) try {
    Store &store = plan.constant_store;
    plan.constant_memory.allow(most_memory(plan.limits, 1));
    prepare(store, plan, Stage::constant, plan.constant_memory);
    for (const ConstantValue &constant : plan.constants) {
        load_tensor(store, constant.cells, constant.index, constant.tensor->view(), plan.own_labels);
        align(store.cells[constant.cells.number], *constant.tensor);
    }
    Scratch scratch;
    scratch.count_in(plan.constant_memory);
    const LabelTexts texts(*plan.labels);
    Frame frame = make_frame(plan, nullptr, nullptr, scratch, &texts);
    if (!run_program(plan.programs[static_cast<int>(Stage::constant)], frame)) {
        return why_stopped(frame, std::nullopt, "a constant part of the expression", plan.limits);
    }
    // Steps read them again, if at all, in parts.
    for (const ConstantValue &constant : plan.constants) {
        MappedTensor::let_go(*constant.tensor);
    }
    return {};
} catch (const BeyondBudget &) {
    return too_much("the constant parts of the expression", plan.limits);
}

}  // namespace tenrex::program
