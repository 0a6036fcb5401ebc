#include "lib/program/library/row_extreme_step.h"

#include <algorithm>
#include <array>

#include "lib/program/library/row_pair_work.h"
#include "lib/support/format.h"

namespace tenrex::program {

bool RowPairExtremeStep::run_together(Frame &frame, double *out) const {
    const Blocks b(frame, b_);
    const Index *const rows_of = a_index_ ? &frame.index(a_index_) : nullptr;
    const Cells &a = frame.cells(a_);
    const bool follow =
        rows_of != nullptr ? !rows_of->shared : a.stride == static_cast<std::ptrdiff_t>(rows_ * row_bytes_);
    if (frame.documents == 1 || !follow || groups_.index || target_.index || columns_ != 1 ||
        b_.access != BlockAccess::dense || b.document_stride() != 0) {
        return false;
    }
    constexpr std::size_t enough = 1024;  // rows for a call; their numbers stay in the first level of the cache
    const std::size_t width = byte_size(choice_.kernel->out);
    const auto rows_before = [&](std::size_t document) {
        return rows_ * (rows_of == nullptr ? document : document == 0 ? rows_of->begin(0) : rows_of->end(document - 1));
    };
    for (std::size_t document = 0; document < frame.documents;) {
        const std::size_t first = rows_before(document);
        std::size_t last = document + 1;
        while (last < frame.documents && rows_before(last + 1) - first <= enough) {
            ++last;
        }
        const std::size_t count = rows_before(last) - first;
        std::byte *const numbers = frame.scratch->bytes.room(std::max<std::size_t>(1, count * width));
        choice_.run({a.data + first * row_bytes_, static_cast<std::ptrdiff_t>(row_bytes_), b.data(), 0, count, length_,
                     numbers});
        for (; document < last; ++document) {
            const std::size_t begin = rows_before(document);
            const std::size_t of_document = rows_before(document + 1) - begin;
            out[document] = 0;
            if (of_document != 0) {
                reduce_->function({numbers + (begin - first) * width, 0, 1, of_document, out + document});
            }
        }
    }
    return true;
}

void RowPairExtremeStep::run(Frame &frame) const {
    std::byte *const target = make_room(frame, target_);
    if (target == nullptr) {
        return;
    }
    if (run_together(frame, reinterpret_cast<double *>(target))) {
        return;
    }
    const Cells &a = frame.cells(a_);
    const Blocks b(frame, b_);
    const Index *const rows_of = a_index_ ? &frame.index(a_index_) : nullptr;
    const Index *const index = target_.index ? &frame.index(target_.index) : nullptr;
    const auto stride = static_cast<std::ptrdiff_t>(row_bytes_);
    const std::size_t width = byte_size(choice_.kernel->out);
    for (std::size_t document = 0; document < frame.documents; ++document) {
        RowBlocks rows{a_index_, a.data, 1, rows_, rows_ * row_bytes_};
        if (rows_of != nullptr) {
            rows.first += rows_of->begin(document) * rows.block_bytes;
            rows.blocks = rows_of->end(document) - rows_of->begin(document);
        } else {
            rows.first += static_cast<std::ptrdiff_t>(document) * a.stride;
        }
        const std::size_t begin = index != nullptr ? index->begin(document) : document;
        const std::size_t end = index != nullptr ? index->end(document) : document + 1;
        double *out = reinterpret_cast<double *>(target) + begin * columns_;
        if (rows.blocks == 0) {
            std::fill_n(out, (end - begin) * columns_, 0.0);
            continue;
        }
        const std::size_t row_count = rows.blocks * rows_;
        std::byte *const numbers = frame.scratch->bytes.room(row_count * width);
        const auto combine_rows = [&](const std::byte *first, const std::byte *column) {
            choice_.run({first, stride, column, 0, row_count, length_, numbers});
        };
        if (!groups_.index) {
            for (std::size_t block = begin; block < end; ++block) {
                const std::byte *column = b.at(document, block);
                for (std::size_t i = 0; i < columns_; ++i, column += column_bytes_, ++out) {
                    combine_rows(rows.first, column);
                    reduce_->function({numbers, 0, 1, row_count, out});
                }
            }
            continue;
        }
        // Every group has all blocks of b.
        const GroupedRows groups = grouped(frame, groups_, rows, document);
        const std::size_t blocks = b_index_ ? frame.index(b_index_).end(document) : 1;
        for (std::size_t block = 0; block < blocks; ++block) {
            const std::byte *column = b.at(document, b_index_ ? block : document);
            for (std::size_t i = 0; i < columns_; ++i, column += column_bytes_) {
                combine_rows(groups.first, column);
                double *best = out + block * columns_ + i;
                std::size_t row = 0;
                for (const std::size_t group_end : groups.ends) {
                    reduce_->function({numbers + row * width, 0, 1, group_end - row, best});
                    best += blocks * columns_;
                    row = group_end;
                }
            }
        }
    }
}

std::string RowPairExtremeStep::describe() const {
    return fmt::format("{} of {} of {} cells{}", kernels::name(reduce_->operation),
                       kernels::name(choice_.kernel->operation), length_, groups_.index ? " by groups of rows" : "");
}

std::string RowPairExtremeStep::reasons(kernels::Isa isa) const {
    return reasons_of(choice_, length_, isa);
}

Work RowPairExtremeStep::work() const {
    const auto rows = static_cast<double>(rows_);
    const auto is_of = [&](bool documents) {
        return std::ranges::any_of(std::array{a_index_, b_index_}, [&](IndexSlot index) {
            return index && (index.stage == Stage::document) == documents;
        });
    };
    return {rows * static_cast<double>(columns_) * flops_of(choice_, length_),
            rows * static_cast<double>(row_bytes_) + static_cast<double>(b_.bytes), static_cast<double>(target_.bytes),
            is_of(true), is_of(false)};
}

}  // namespace tenrex::program
