// Runs the programs of a plan.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "lib/program/plan.h"

namespace tenrex::program {

// Runs the steps of one program; false if a value went beyond the limits.
inline bool run_program(const Program &program, Frame &frame) {
    for (const auto &step : program) {
        step->run(frame);
        if (frame.too_large) {
            return false;
        }
    }
    return true;
}
// The same, adding to seconds[i] what step i needed.
bool time_program(const Program &program, Frame &frame, std::span<double> seconds);

// Why a program stopped: sizes differ, in a document with that number, or `what` is too large.
Error why_stopped(const Frame &frame, std::optional<std::size_t> first_document, std::string_view what,
                  const Limits &limits);
// `what` has more cells than the limits allow.
Error too_large(std::string_view what, const Limits &limits);

// The same where `what` together need more memory than they may.
Error too_much(std::string_view what, const Limits &limits);

// A frame of a plan, with the stores of the programs that have run or are to run; null: not yet. A program writes to
// its own store only, so those before it may be shared by threads.
inline Frame make_frame(const Plan &plan, const Store *query, Store *document, Scratch &scratch,
                        const LabelTexts *labels) {
    // Programs only read what is not theirs.
    return {1,
            {const_cast<Store *>(&plan.constant_store), const_cast<Store *>(query), document},
            &scratch,
            labels,
            plan.limits.evaluation_cells,
            false,
            false};
}

// Loads the constants and runs their program. Error: they go beyond the limits.
Status run_constants(Plan &plan);

// Makes a tensor the value of a port, for all documents. The tensor and its labels, which come to be among those that
// are held, must outlive its use.
inline void load_tensor(Store &store, CellsSlot cells, IndexSlot index, const TensorView &tensor, HeldLabels &held) {
    Cells &target = store.cells[cells.number];
    // Steps only read what they did not write.
    target.data = const_cast<std::byte *>(static_cast<const std::byte *>(tensor.cells()));
    target.stride = 0;
    if (!index) {
        return;
    }
    Index &addresses = store.indexes[index.number];
    const std::size_t width = tensor.type().mapped_count();
    Label *labels = addresses.own_labels.room(tensor.blocks() * width);
    std::uint32_t *const offsets = addresses.own_offsets.room(2);
    offsets[0] = 0;
    offsets[1] = block_number(tensor.blocks());
    addresses.offsets = offsets;
    addresses.labels = labels;
    addresses.shared = true;
    for (std::size_t block = 0; block < tensor.blocks(); ++block) {
        for (std::size_t i = 0; i < width; ++i) {
            const Label label = tensor.address(block)[i];
            *labels++ = is_numeric(label) ? label : held.hold(tensor.labels()->stored_text(label));
        }
    }
}

}  // namespace tenrex::program
