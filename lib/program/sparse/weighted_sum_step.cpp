#include "lib/program/sparse/weighted_sum_step.h"

#include <cstring>

#include "lib/program/cell.h"
#include "lib/program/sparse/label_search.h"
#include "lib/support/format.h"

namespace tenrex::program {

void WeightedSumStep::run(Frame &frame) const {
    const bool is_lookup = matcher_.is_lookup(frame);
    if (shape_.cell_type == CellType::f64) {
        is_lookup ? look_up<double>(frame) : run_as<double>(frame);
    } else {
        is_lookup ? look_up<float>(frame) : run_as<float>(frame);
    }
}

// The product is exact in double, so that this rounds as the sum of one product would. Of -0 that is 0.
template <class Cell>
void WeightedSumStep::add_to_zero(const std::byte *block, const std::byte *weight, std::byte *target) const {
    static constexpr Cell zero = 0;
    constexpr std::uint32_t numbers = 2 | 4;  // the second and the third operand
    multiply_add_->function({block, weight, &zero, target, shape_.length, numbers});
}

// One block at most has a weight, so that there is nothing to add, and nothing to list before.
template <class Cell>
void WeightedSumStep::look_up(Frame &frame) const {
    const Index &outer = frame.index(matcher_.outer().index);
    const Label wanted = frame.index(matcher_.inner().index).labels[0];
    const std::byte *const outer_cells = frame.cells(shape_.outer).data;
    const std::byte *const inner_cells = frame.cells(shape_.inner).data;
    const std::size_t bytes = shape_.length * sizeof(Cell);
    std::byte *target = frame.cells(shape_.target).data;
    for (std::size_t document = 0; document < frame.documents; ++document, target += bytes) {
        const std::size_t begin = outer.begin(document);
        const std::size_t end = outer.end(document);
        const std::size_t found = begin + find_label(outer.labels + begin, end - begin, wanted, outer.sorted);
        if (found == end) {
            std::memset(target, 0, bytes);
            continue;
        }
        const std::byte *const own = outer_cells + found * (shape_.blocks_outside ? bytes : sizeof(Cell));
        add_to_zero<Cell>(shape_.blocks_outside ? own : inner_cells, shape_.blocks_outside ? inner_cells : own, target);
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
            add_to_zero<Cell>(blocks + block_of[0] * bytes, weights + weight_of[0] * sizeof(Cell), target);
            continue;
        }
        for (std::size_t match = 0; match < count; ++match) {
            const std::byte *const block = blocks + block_of[match] * bytes;
            const double weight = load_cell<Cell>(weights, weight_of[match]);
            if (match == 0) {
                for (std::size_t i = 0; i < length; ++i) {
                    sums[i] = 0.0 + load_cell<Cell>(block, i) * weight;  // a sum of -0 is 0
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

}  // namespace tenrex::program
