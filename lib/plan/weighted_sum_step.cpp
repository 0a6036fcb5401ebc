#include "lib/plan/weighted_sum_step.h"

#include <cstring>

#include "lib/plan/cell.h"
#include "lib/support/format.h"

namespace tenrex::plan {

void WeightedSumStep::run(Frame &frame) const {
    if (shape_.cell_type == CellType::f64) {
        run_as<double>(frame);
    } else {
        run_as<float>(frame);
    }
}

template <class Cell>
void WeightedSumStep::run_as(Frame &frame) const {
    const std::byte *const outer_cells = frame.cells(shape_.outer).data;
    const std::byte *const inner_cells = frame.cells(shape_.inner).data;
    const std::byte *const blocks = shape_.blocks_outside ? outer_cells : inner_cells;
    const std::byte *const weights = shape_.blocks_outside ? inner_cells : outer_cells;
    const std::size_t length = shape_.length;
    const std::size_t bytes = length * sizeof(Cell);
    double *const sums = frame.scratch->numbers.room(length);
    std::byte *target = frame.cells(shape_.target).data;
    const Matches matches = matcher_.find(frame, 0, Matcher::all);
    for (std::size_t document = 0; document < frame.documents; ++document, target += bytes) {
        const std::size_t begin = matches.offsets[document];
        const std::size_t count = matches.offsets[document + 1] - begin;
        const std::uint32_t *const block_of = (shape_.blocks_outside ? matches.outer : matches.inner) + begin;
        const std::uint32_t *const weight_of = (shape_.blocks_outside ? matches.inner : matches.outer) + begin;
        if (count == 0) {
            std::memset(target, 0, bytes);
            continue;
        }
        if (count == 1) {
            // The product is exact in double, so that this rounds as the sum of one product would.
            multiply_->function(
                {blocks + block_of[0] * bytes, weights + weight_of[0] * sizeof(Cell), nullptr, target, length, 2});
            continue;
        }
        for (std::size_t match = 0; match < count; ++match) {
            const std::byte *const block = blocks + block_of[match] * bytes;
            const double weight = load_cell<Cell>(weights, weight_of[match]);
            if (match == 0) {
                for (std::size_t i = 0; i < length; ++i) {
                    sums[i] = load_cell<Cell>(block, i) * weight;
                }
            } else {
                for (std::size_t i = 0; i < length; ++i) {
                    sums[i] += load_cell<Cell>(block, i) * weight;
                }
            }
        }
        for (std::size_t i = 0; i < length; ++i) {
            store_cell<Cell>(target, i, sums[i]);
        }
    }
}

std::string WeightedSumStep::describe() const {
    return fmt::format("sum of blocks of {} cells with weights", shape_.length);
}

}  // namespace tenrex::plan
