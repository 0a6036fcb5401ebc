#include "lib/program/sparse/weighted_sum_step.h"

#include "lib/program/sparse/label_search.h"
#include "lib/program/work.h"
#include "lib/support/format.h"

namespace tenrex::program {

void WeightedSumStep::run(Frame &frame) const {
    matcher_.is_lookup(frame) ? look_up(frame) : run_all(frame);
}

// For one document, from the pairs of its blocks.
inline void WeightedSumStep::add_up(Frame &frame, std::byte *target, const std::uint32_t *outer,
                                    const std::uint32_t *inner, std::size_t count) const {
    const std::byte *const outer_cells = frame.cells(shape_.outer).data;
    const std::byte *const inner_cells = frame.cells(shape_.inner).data;
    if (shape_.blocks_outside) {
        kernel_->function({outer_cells, outer, inner_cells, inner, count, shape_.length, target});
    } else {
        kernel_->function({inner_cells, inner, outer_cells, outer, count, shape_.length, target});
    }
}

// One block at most has a weight, so that there is nothing to list before.
void WeightedSumStep::look_up(Frame &frame) const {
    const Index &outer = frame.index(matcher_.outer().index);
    const Label wanted = frame.index(matcher_.inner().index).labels[0];
    std::byte *target = frame.cells(shape_.target).data;
    constexpr std::uint32_t only = 0;
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::size_t begin = outer.begin(document);
        const std::size_t end = outer.end(document);
        const std::size_t found = begin + find_label(outer.labels + begin, end - begin, wanted, outer.sorted);
        const auto block = static_cast<std::uint32_t>(found);
        add_up(frame, target, &block, &only, found == end ? 0 : 1);
        target += shape_.length * byte_size(shape_.cell_type);
    }
}

void WeightedSumStep::run_all(Frame &frame) const {
    std::byte *target = frame.cells(shape_.target).data;
    const Matches matches = matcher_.find(frame, 0, Matcher::all);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::size_t begin = matches.offsets[document];
        add_up(frame, target, matches.outer + begin, matches.inner + begin, matches.offsets[document + 1] - begin);
        target += shape_.length * byte_size(shape_.cell_type);
    }
}

std::string WeightedSumStep::describe() const {
    return fmt::format("sum of blocks of {} cells with weights", shape_.length);
}

std::string WeightedSumStep::reasons(kernels::Isa isa) const {
    return list_candidates(kernels::weighted_rows_candidates(shape_.cell_type, shape_.length, isa));
}

}  // namespace tenrex::program
