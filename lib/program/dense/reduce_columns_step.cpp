#include "lib/program/dense/reduce_columns_step.h"

#include <algorithm>

#include "lib/support/format.h"

namespace tenrex::program {

void ReduceColumnsStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, shape_.target);
    if (target == nullptr) {
        return;
    }
    const std::size_t groups = block_count(frame, shape_.target);
    std::byte *const totals = totals_.begin(*frame.scratch, target, groups);
    const std::size_t cell_bytes = byte_size(shape_.operand_type);
    const std::size_t block_bytes = shape_.operand_cells * cell_bytes;
    // That go to one row of the result.
    const std::size_t block_rows = shape_.operand_cells / shape_.target_cells * shape_.cells_each;
    const auto row_bytes = nest_.row_stride() * static_cast<std::ptrdiff_t>(cell_bytes);
    const Blocks blocks(
        frame, {shape_.operand, shape_.operand_index ? BlockAccess::same : BlockAccess::dense, {}, block_bytes});
    const auto add_block = [&](std::size_t document, std::size_t block, std::size_t group) {
        const std::byte *const cells = blocks.at(document, block);
        nest_.for_each([&](std::ptrdiff_t to, std::ptrdiff_t from) {
            totals_.add(totals, group, static_cast<std::size_t>(to),
                        {cells + from * static_cast<std::ptrdiff_t>(cell_bytes), row_bytes, nest_.rows(),
                         nest_.columns(), nullptr});
        });
    };
    if (!shape_.operand_index) {
        for (std::size_t document = 0; document < frame.documents; ++document) {
            add_block(document, document, document);
            totals_.finish(totals, target, document, block_rows);
        }
        return;
    }
    const Index &index = frame.index(shape_.operand_index);
    if (shape_.groups || shape_.target.index) {
        std::uint32_t *const rows = frame.scratch->row_counts.room(groups + 1);
        std::fill_n(rows, groups, 0);
        const std::uint32_t *const group_of = shape_.groups ? frame.map(shape_.groups).of.data() : nullptr;
        for (std::size_t block = 0; block < index.blocks(frame.documents); ++block) {
            const std::size_t group = group_of != nullptr ? group_of[block] : block;
            add_block(0, block, group);
            ++rows[group];
        }
        for (std::size_t group = 0; group < groups; ++group) {
            totals_.finish(totals, target, group, rows[group] * block_rows);
        }
        return;
    }
    for (std::size_t document = 0; document < frame.documents; ++document) {
        const std::size_t begin = index.begin(document);
        const std::size_t count = index.end(document) - begin;
        if (nest_.is_one_row()) {
            totals_.add(totals, document, 0,
                        {blocks.at(document, begin), static_cast<std::ptrdiff_t>(block_bytes), count, nest_.columns(),
                         nullptr});
        } else {
            for (std::size_t block = begin; block < begin + count; ++block) {
                add_block(document, block, document);
            }
        }
        totals_.finish(totals, target, document, count * block_rows);
    }
}

std::string ReduceColumnsStep::describe() const {
    return fmt::format("{} of {}rows of {} cells by columns", info(aggregator_).name,
                       shape_.operand_index ? "" : fmt::format("{} ", shape_.operand_cells / shape_.target_cells),
                       shape_.target_cells);
}

std::string ReduceColumnsStep::reasons(kernels::Isa isa) const {
    const kernels::ReduceKernel &kernel = totals_.kernel();
    return list_candidates(kernels::reduce_candidates(kernel.operation, kernel.type, nest_.columns(), isa));
}

}  // namespace tenrex::program
