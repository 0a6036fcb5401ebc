#include "lib/program/sparse/join_reduce_step.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "lib/program/aggregators.h"
#include "lib/program/cell.h"
#include "lib/program/gathered_blocks.h"
#include "lib/support/format.h"

namespace tenrex::program {

namespace {

// Whether most matches belong to the group of the match before.
bool has_long_runs(const std::uint32_t *group_of, std::size_t matches) {
    std::size_t runs = 1;
    for (std::size_t i = 1; i < matches; ++i) {
        runs += group_of[i] != group_of[i - 1] ? 1 : 0;
    }
    return 4 * runs <= matches;
}

// Adds the cells of each match to the totals of its group.
template <class Cell, class Accumulator>
void add_cells(const std::byte *cells, std::size_t block_cells, const LoopNest<2> &nest, std::size_t matches,
               const std::uint32_t *group_of, std::size_t target_cells, Accumulator *totals) {
    if (block_cells == 1 && (group_of == nullptr || has_long_runs(group_of, matches))) {
        // The total of cells that follow each other in a group stays in a register.
        for (std::size_t i = 0; i < matches;) {
            const std::uint32_t group = group_of != nullptr ? group_of[i] : 0;
            Accumulator total = totals[group];
            do {
                total.add(load_cell<Cell>(cells, i++));
            } while (i < matches && (group_of == nullptr || group_of[i] == group));
            totals[group] = total;
        }
        return;
    }
    if (block_cells == 1) {
        for (std::size_t i = 0; i < matches; ++i) {
            totals[group_of[i]].add(load_cell<Cell>(cells, i));
        }
        return;
    }
    const Axis<2> &run = nest.run();
    for (std::size_t i = 0; i < matches; ++i, cells += block_cells * sizeof(Cell)) {
        Accumulator *const group = totals + (group_of != nullptr ? group_of[i] * target_cells : 0);
        nest.for_each_run([&](const std::array<std::ptrdiff_t, 2> &offsets) {
            for (std::size_t k = 0; k < run.size; ++k) {
                const auto step = static_cast<std::ptrdiff_t>(k);
                group[offsets[0] + step * run.strides[0]].add(
                    load_cell<Cell>(cells, offsets[1] + step * run.strides[1]));
            }
        });
    }
}

}  // namespace

JoinReduceStep::JoinReduceStep(Matcher matcher, std::optional<MatchGroups> groups, Shape shape,
                               const kernels::ElementwiseKernel *function, const kernels::ReduceKernel *rows,
                               std::size_t row_cells)
    : matcher_(std::move(matcher)),
      groups_(std::move(groups)),
      shape_(std::move(shape)),
      function_(function),
      rows_(rows),
      row_cells_(row_cells) {
    row_nest_.add(shape_.joined_cells / row_cells_, {1, 1});
    if (function != nullptr && (is_repeated(shape_.outer) || is_repeated(shape_.inner))) {
        tiles_ = RowTiles::make(*function, shape_.joined_cells);
    }
    if (rows != nullptr && row_cells_ == 1 && ColumnNest::fits(shape_.nest) && ColumnNest(shape_.nest).is_one_row()) {
        columns_.emplace(rows, shape_.aggregator, shape_.target_cells, shape_.target_type);
    }
}

void JoinReduceStep::run(Frame &frame) const {
    with_accumulator(shape_.aggregator, [&]<class Accumulator>(Accumulator) { run_with<Accumulator>(frame); });
}

template <class Accumulator>
void JoinReduceStep::run_with(Frame &frame) const {
    // So many cells of documents are computed together: they stay in the first level of the cache.
    constexpr std::size_t enough = 1024;
    std::optional<IndexWriter> writer;
    if (groups_) {
        writer.emplace(frame, shape_.target.index, groups_->width());
    }
    std::size_t written = 0;
    for (std::size_t first = 0; first < frame.documents;) {
        const Matches matches = matcher_.find(frame, first, enough / shape_.joined_cells);
        if (is_too_large(frame, matches)) {
            return;
        }
        const std::byte *cells = function_ != nullptr && matches.count() != 0 ? computed(frame, matches) : nullptr;
        for (std::size_t i = 0; i < matches.documents; ++i) {
            const std::size_t begin = matches.offsets[i];
            const std::size_t count = matches.offsets[i + 1] - begin;
            std::size_t groups = 1;
            const std::uint32_t *group_of = nullptr;
            if (writer) {
                group_of = groups_->add(frame, matcher_, matches, begin, begin + count, *writer);
                groups = writer->count() - written;
                writer->end_document();
            }
            std::byte *const target = target_cells(frame, written, groups);
            if (is_whole()) {
                store_cell(shape_.target_type, target, 0, whole_document(cells, count));
            } else if (columns_) {
                combine(frame, cells, count, group_of, groups, target);
            } else {
                const Accumulator *const totals = totals_of<Accumulator>(frame, cells, count, group_of, groups);
                for (std::size_t k = 0; k < groups * shape_.target_cells; ++k) {
                    store_cell(shape_.target_type, target, k, totals[k].result());
                }
            }
            cells += function_ != nullptr ? count * joined_bytes() : 0;
            written += groups;
        }
        first += matches.documents;
    }
}

bool JoinReduceStep::is_too_large(Frame &frame, const Matches &matches) const {
    // As many as a value that is stored may have.
    const std::size_t block_cells =
        std::max(function_ != nullptr ? shape_.joined_cells : 1, groups_ ? shape_.target_cells : 1);
    for (std::size_t i = 0; i < matches.documents; ++i) {
        frame.too_large |= matches.offsets[i + 1] - matches.offsets[i] > frame.most_cells / block_cells;
    }
    return frame.too_large;
}

double JoinReduceStep::whole_document(const std::byte *cells, std::size_t matches) const {
    const std::size_t count = matches * shape_.joined_cells;
    double number = 0;
    if (count != 0) {
        rows_->function({cells, 0, 1, count, &number});
    }
    return shape_.aggregator == Aggregator::avg && count != 0 ? number / static_cast<double>(count) : number;
}

void JoinReduceStep::combine(Frame &frame, const std::byte *cells, std::size_t matches, const std::uint32_t *group_of,
                             std::size_t groups, std::byte *target) const {
    std::byte *const totals = columns_->begin(*frame.scratch, target, groups);
    const auto bytes = static_cast<std::ptrdiff_t>(joined_bytes());
    if (group_of == nullptr) {
        columns_->add(totals, 0, 0, {cells, bytes, matches, shape_.target_cells, nullptr});
        columns_->finish(totals, target, 0, matches);
        return;
    }
    std::uint32_t *const rows = frame.scratch->row_counts.room(groups + 1);
    std::fill_n(rows, groups, 0);
    for (std::size_t i = 0; i < matches; ++i, cells += bytes) {
        columns_->add(totals, group_of[i], 0, {cells, 0, 1, shape_.target_cells, nullptr});
        ++rows[group_of[i]];
    }
    for (std::size_t group = 0; group < groups; ++group) {
        columns_->finish(totals, target, group, rows[group]);
    }
}

template <class Accumulator>
const Accumulator *JoinReduceStep::totals_of(Frame &frame, const std::byte *cells, std::size_t matches,
                                             const std::uint32_t *group_of, std::size_t groups) const {
    const std::size_t target_cells = groups * shape_.target_cells;
    auto *const totals =
        reinterpret_cast<Accumulator *>(frame.scratch->bytes.room((target_cells + 1) * sizeof(Accumulator)));
    std::uninitialized_fill_n(totals, target_cells, Accumulator());
    if constexpr (std::is_same_v<Accumulator, CountOf>) {
        for (std::size_t i = 0; i < matches; ++i) {
            CountOf *const group = totals + (group_of != nullptr ? group_of[i] * shape_.target_cells : 0);
            for (std::size_t k = 0; k < shape_.target_cells; ++k) {
                group[k].count += shape_.joined_cells / shape_.target_cells;
            }
        }
        return totals;
    }
    const auto add = [&]<class Cell>(Cell, const std::byte *from, std::size_t block_cells, const LoopNest<2> &nest) {
        add_cells<Cell>(from, block_cells, nest, matches, group_of, shape_.target_cells, totals);
    };
    if (row_cells_ != 1) {
        const std::size_t block_rows = shape_.joined_cells / row_cells_;
        const std::size_t rows = matches * block_rows;
        double *const numbers = frame.scratch->numbers.room(rows);
        const auto row_bytes = static_cast<std::ptrdiff_t>(row_cells_ * byte_size(rows_->type));
        rows_->function({cells, row_bytes, rows, row_cells_, numbers});
        add(double(), reinterpret_cast<const std::byte *>(numbers), block_rows, row_nest_);
    } else if (function_->type == CellType::f64) {
        add(double(), cells, shape_.joined_cells, shape_.nest);
    } else {
        add(float(), cells, shape_.joined_cells, shape_.nest);
    }
    return totals;
}

const std::byte *JoinReduceStep::gathered(Frame &frame, const Operand &operand, const std::uint32_t *blocks,
                                          std::size_t count, std::size_t room) const {
    const std::size_t cell_bytes = byte_size(function_->type);
    const std::size_t bytes = joined_bytes();
    const std::byte *const cells = frame.cells(operand.cells).data;
    std::byte *const to = frame.scratch->gathered[room].room(count * bytes);
    if (operand.nest.contiguous_bytes() == bytes) {
        return blocks_in_order(cells, bytes, blocks, count, to);
    }
    if (is_repeated(operand)) {
        if (tiles_) {
            return blocks_in_order(cells, cell_bytes, blocks, count, to);
        }
        repeat_cells(cells, cell_bytes, blocks, count, shape_.joined_cells, to);
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            operand.nest.run(to + i * bytes, cells + blocks[i] * operand.block_cells * cell_bytes);
        }
    }
    return to;
}

const std::byte *JoinReduceStep::computed(Frame &frame, const Matches &matches) const {
    const std::size_t count = matches.count();
    const std::byte *const outer = gathered(frame, shape_.outer, matches.outer, count, 0);
    const std::byte *const inner = gathered(frame, shape_.inner, matches.inner, count, 1);
    std::byte *const result = frame.scratch->gathered[2].room(count * joined_bytes());
    if (tiles_) {
        RowTiles::Operand operands[] = {{outer, is_repeated(shape_.outer)}, {inner, is_repeated(shape_.inner)}};
        if (shape_.inner_first) {
            std::swap(operands[0], operands[1]);
        }
        tiles_->run(operands, result, count);
        return result;
    }
    function_->function({shape_.inner_first ? inner : outer, shape_.inner_first ? outer : inner, nullptr, result,
                         count * shape_.joined_cells, 0});
    return result;
}

std::byte *JoinReduceStep::target_cells(Frame &frame, std::size_t first, std::size_t groups) const {
    Cells &cells = frame.cells(shape_.target.cells);
    const std::size_t bytes = shape_.target.bytes;
    if (groups_) {
        cells.data = cells.memory().grow((first + groups) * bytes + 1, first * bytes);
    }
    return cells.data + first * bytes;
}

std::string JoinReduceStep::describe() const {
    return fmt::format("{} of a join of {} labels, blocks of {} cells{}", info(shape_.aggregator).name,
                       matcher_.inner().key.size(), shape_.joined_cells, columns_ ? " by columns" : "");
}

std::string JoinReduceStep::reasons(kernels::Isa isa) const {
    return function_ == nullptr
               ? ""
               : list_candidates(kernels::elementwise_candidates(function_->operation, function_->type, isa));
}

Work JoinReduceStep::work() const {
    const std::size_t labels = matcher_.outer().width + matcher_.inner().key.size();
    const auto cells = static_cast<double>(shape_.joined_cells);
    const double bytes = function_ == nullptr ? 0 : 2 * cells * static_cast<double>(byte_size(function_->type));
    return {2 * cells, static_cast<double>(labels * sizeof(Label)) + bytes, static_cast<double>(shape_.target.bytes),
            true};
}

}  // namespace tenrex::program
