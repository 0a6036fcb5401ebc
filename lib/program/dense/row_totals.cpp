#include "lib/program/dense/row_totals.h"

#include "lib/program/aggregators.h"
#include "lib/program/cell.h"

namespace tenrex::program {

namespace {

// Of two parts of a row; of an average the sum.
double combined(Aggregator aggregator, double so_far, double part) noexcept {
    double result = 0;
    with_accumulator(aggregator == Aggregator::avg ? Aggregator::sum : aggregator, [&](auto accumulator) {
        accumulator.add(so_far);
        accumulator.add(part);
        result = accumulator.result();
    });
    return result;
}

}  // namespace

void RowTotals::add(std::span<const double> parts) noexcept {
    for (const double part : parts) {
        total_ = seen_ == 0 ? part : combined(aggregator_, total_, part);
        if (++seen_ == parts_) {
            const double result = aggregator_ == Aggregator::avg ? total_ / cells_ : total_;
            store_cell(type_, to_, 0, result);
            to_ += byte_size(type_);
            seen_ = 0;
        }
    }
}

}  // namespace tenrex::program
