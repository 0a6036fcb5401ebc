#include "lib/program/dense/reduce_step.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "lib/program/aggregators.h"
#include "lib/program/cell.h"
#include "lib/program/parts.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

// What cells of one group after the other are added to stays in a register.
template <class Cell, class Accumulator>
void add_to_groups(const std::byte *cells, std::size_t count, const std::uint32_t *groups,
                   Accumulator *totals) noexcept {
    for (std::size_t i = 0; i < count;) {
        const std::uint32_t group = groups[i];
        Accumulator total = totals[group];
        do {
            total.add(load_cell<Cell>(cells, i));
            ++i;
        } while (i < count && groups[i] == group);
        totals[group] = total;
    }
}

}  // namespace

std::optional<kernels::ReduceOperation> row_operation(Aggregator aggregator, bool in_float) {
    switch (aggregator) {
        case Aggregator::sum:
        case Aggregator::avg:
            return in_float ? kernels::ReduceOperation::float_sum : kernels::ReduceOperation::sum;
        case Aggregator::prod:
            return kernels::ReduceOperation::prod;
        case Aggregator::max:
            return kernels::ReduceOperation::max;
        case Aggregator::min:
            return kernels::ReduceOperation::min;
        case Aggregator::median:
            return kernels::ReduceOperation::median;
        case Aggregator::count:
            return std::nullopt;
    }
    __builtin_unreachable();
}

std::size_t ReduceStep::target_block(const Frame &frame, std::size_t document, std::size_t block) const noexcept {
    if (shape_.groups) {
        return frame.map(shape_.groups).of.data()[block];
    }
    return shape_.target.index ? block : document;
}

void ReduceStep::run(Frame &frame) const {
    if (aggregator_ == Aggregator::median) {
        return shape_.operand_type == CellType::f64 ? run_median<double>(frame) : run_median<float>(frame);
    }
    with_accumulator(aggregator_, [&]<class Accumulator>(Accumulator) { run_with<Accumulator>(frame); });
}

template <class Accumulator>
void ReduceStep::run_with(Frame &frame) const {
    if (shape_.operand_type == CellType::f64) {
        run_as<double, Accumulator>(frame);
    } else {
        run_as<float, Accumulator>(frame);
    }
}

template <class Cell, class Accumulator>
void ReduceStep::run_as(Frame &frame) const {
    std::byte *const target = make_room(frame, shape_.target);
    if (target == nullptr) {
        return;
    }
    const std::size_t cells = block_count(frame, shape_.target) * shape_.target_cells;
    auto *const totals = reinterpret_cast<Accumulator *>(frame.scratch->bytes.room(cells * sizeof(Accumulator)));
    std::uninitialized_fill_n(totals, cells, Accumulator());
    const BlockUse use{shape_.operand,
                       shape_.operand_index ? BlockAccess::same : BlockAccess::dense,
                       {},
                       shape_.operand_cells * sizeof(Cell)};
    const Blocks blocks(frame, use);
    const Axis<2> &run = shape_.nest.run();
    const auto add_block = [&](std::size_t document, std::size_t block) {
        Accumulator *const group = totals + target_block(frame, document, block) * shape_.target_cells;
        const std::byte *const source = blocks.at(document, block);
        shape_.nest.for_each_run([&](const std::array<std::ptrdiff_t, 2> &offsets) {
            if (run.strides[0] == 0) {
                Accumulator total = group[offsets[0]];
                for (std::size_t i = 0; i < run.size; ++i) {
                    total.add(load_cell<Cell>(source, offsets[1] + static_cast<std::ptrdiff_t>(i) * run.strides[1]));
                }
                group[offsets[0]] = total;
                return;
            }
            for (std::size_t i = 0; i < run.size; ++i) {
                const auto step = static_cast<std::ptrdiff_t>(i);
                group[offsets[0] + step * run.strides[0]].add(
                    load_cell<Cell>(source, offsets[1] + step * run.strides[1]));
            }
        });
    };
    for (std::size_t document = 0; document < frame.documents; ++document) {
        if (!shape_.operand_index) {
            add_block(document, document);
            continue;
        }
        const Index &index = frame.index(shape_.operand_index);
        const std::uint32_t begin = index.begin(document);
        const std::uint32_t end = index.end(document);
        if (shape_.operand_cells == 1 && shape_.groups) {
            const std::uint32_t *const groups = frame.map(shape_.groups).of.data() + begin;
            add_to_groups<Cell>(cell_at<Cell>(blocks.data(), begin), end - begin, groups, totals);
            continue;
        }
        for (std::uint32_t block = begin; block < end; ++block) {
            add_block(document, block);
        }
    }
    for (std::size_t i = 0; i < cells; ++i) {
        store_cell(shape_.target_type, target, i, totals[i].result());
    }
}

template <class Cell>
void ReduceStep::run_median(Frame &frame) const {
    std::byte *const target = make_room(frame, shape_.target);
    if (target == nullptr) {
        return;
    }
    // Counts the cells of each group, and lays the groups out one after the other.
    const std::size_t groups = block_count(frame, shape_.target) * shape_.target_cells;
    const BlockUse use{shape_.operand,
                       shape_.operand_index ? BlockAccess::same : BlockAccess::dense,
                       {},
                       shape_.operand_cells * sizeof(Cell)};
    const Blocks blocks(frame, use);
    std::uint32_t *const ends = frame.scratch->blocks.room(groups + 1);
    std::fill_n(ends, groups + 1, 0);
    const auto for_each_cell = [&](const auto &visit) {
        const auto visit_block = [&](std::size_t document, std::size_t block) {
            const auto first = static_cast<std::ptrdiff_t>(target_block(frame, document, block) * shape_.target_cells);
            const std::byte *const source = blocks.at(document, block);
            const Axis<2> &run = shape_.nest.run();
            shape_.nest.for_each_run([&](const std::array<std::ptrdiff_t, 2> &offsets) {
                for (std::size_t i = 0; i < run.size; ++i) {
                    const auto step = static_cast<std::ptrdiff_t>(i);
                    visit(static_cast<std::size_t>(first + offsets[0] + step * run.strides[0]),
                          load_cell<Cell>(source, offsets[1] + step * run.strides[1]));
                }
            });
        };
        for (std::size_t document = 0; document < frame.documents; ++document) {
            if (!shape_.operand_index) {
                visit_block(document, document);
                continue;
            }
            const Index &index = frame.index(shape_.operand_index);
            for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
                visit_block(document, block);
            }
        }
    };
    std::size_t total = 0;
    for_each_cell([&](std::size_t group, double) { ++ends[group + 1], ++total; });
    for (std::size_t group = 0; group < groups; ++group) {
        ends[group + 1] += ends[group];
    }
    double *const cells = frame.scratch->numbers.room(total);
    for_each_cell([&](std::size_t group, double cell) { cells[ends[group]++] = cell; });
    std::size_t begin = 0;
    for (std::size_t group = 0; group < groups; ++group) {
        double median = 0;  // of no cells
        if (ends[group] != begin) {
            median_->function({cells + begin, 0, 1, ends[group] - begin, &median});
        }
        store_cell(shape_.target_type, target, group, median);
        begin = ends[group];
    }
}

std::string ReduceStep::describe() const {
    return fmt::format("{} of {} to {} cells", info(aggregator_).name, shape_.operand_cells, shape_.target_cells);
}

Work work_of(const ReduceShape &shape) {
    const auto cells = static_cast<double>(shape.operand_cells);
    return {cells, cells * static_cast<double>(byte_size(shape.operand_type)),
            static_cast<double>(shape.target_cells * byte_size(shape.target_type)),
            static_cast<bool>(shape.operand_index)};
}

void ReduceRowsStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, target_);
    if (target == nullptr) {
        return;
    }
    const std::size_t blocks = block_count(frame, target_);
    const std::size_t rows = blocks * rows_;
    auto *const numbers =
        target_type_ == CellType::f64 ? reinterpret_cast<double *>(target) : frame.scratch->numbers.room(rows);
    const Blocks operand(frame, operand_);
    const auto row_bytes = static_cast<std::ptrdiff_t>(operand_.bytes / rows_);
    if (aggregator_ == Aggregator::count) {
        std::fill_n(numbers, rows, static_cast<double>(length_));
    } else if (operand_.access == BlockAccess::dense && rows_ == 1) {
        reduce_rows(frame, {operand.data(), operand.document_stride(), rows, length_, numbers});
    } else if (operand_.access == BlockAccess::dense &&
               operand.document_stride() != static_cast<std::ptrdiff_t>(operand_.bytes)) {
        for (std::size_t document = 0; document < frame.documents; ++document) {
            reduce_rows(frame, {operand.at(document, 0), row_bytes, rows_, length_, numbers + document * rows_});
        }
    } else if (rows != 0) {
        reduce_rows(frame, {operand.data(), row_bytes, rows, length_, numbers});
    }
    if (aggregator_ == Aggregator::avg) {
        for (std::size_t row = 0; row < rows; ++row) {
            numbers[row] /= static_cast<double>(length_);
        }
    }
    if (target_type_ == CellType::f32) {
        for (std::size_t row = 0; row < rows; ++row) {
            store_cell<float>(target, row, numbers[row]);
        }
    }
}

void ReduceRowsStep::reduce_rows(const Frame &frame, const kernels::Rows &call) const {
    if (frame.executor == nullptr) {
        kernel_->function(call);
        return;
    }
    const Parts parts(frame, call.rows, kernel_->cost.of(call.length));
    parts.run([&](std::size_t, std::size_t first, std::size_t count) {
        kernels::Rows own = call;
        own.cells = static_cast<const std::byte *>(call.cells) + static_cast<std::ptrdiff_t>(first) * call.stride_bytes;
        own.out = call.out + first;
        own.rows = count;
        kernel_->function(own);
    });
}

std::string ReduceRowsStep::describe() const {
    return fmt::format("{} of {} rows of {} cells", info(aggregator_).name, rows_, length_);
}

std::string ReduceRowsStep::reasons(kernels::Isa isa) const {
    return kernel_ == nullptr
               ? ""
               : list_candidates(kernels::reduce_candidates(kernel_->operation, kernel_->type, length_, isa));
}

}  // namespace tenrex::program
