#include "lib/program/dense/column_totals.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

namespace tenrex::program {

namespace {

double neutral(kernels::ReduceOperation operation) noexcept {
    switch (operation) {
        case kernels::ReduceOperation::sum:
        case kernels::ReduceOperation::float_sum:
            return 0;
        case kernels::ReduceOperation::prod:
            return 1;
        case kernels::ReduceOperation::max:
        case kernels::ReduceOperation::min:
        case kernels::ReduceOperation::median:  // which has no columns
            return std::numeric_limits<double>::quiet_NaN();
    }
    __builtin_unreachable();
}

template <class Cell>
void fill(std::byte *cells, std::size_t count, double value) {
    std::uninitialized_fill_n(reinterpret_cast<Cell *>(cells), count, static_cast<Cell>(value));
}

// Of whatever cell types. They may be in one place if both have the same.
template <class Function>
void convert(const std::byte *from, CellType from_type, std::byte *to, CellType to_type, std::size_t count,
             const Function &function) {
    const auto each = [&]<class From, class To>(From total, To result) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(&total, from + i * sizeof(From), sizeof(From));
            result = static_cast<To>(function(total));
            std::memcpy(to + i * sizeof(To), &result, sizeof(To));
        }
    };
    if (from_type == CellType::f64) {
        to_type == CellType::f64 ? each(double(), double()) : each(double(), float());
    } else {
        to_type == CellType::f64 ? each(float(), double()) : each(float(), float());
    }
}

}  // namespace

std::byte *ColumnTotals::begin(Scratch &scratch, std::byte *target, std::size_t blocks) const {
    const std::size_t cells = blocks * columns_;
    std::byte *const totals =
        is_in_place() ? target : scratch.bytes.room(std::max<std::size_t>(1, cells) * byte_size(kernel_->total()));
    const double value = neutral(kernel_->operation);
    kernel_->total() == CellType::f64 ? fill<double>(totals, cells, value) : fill<float>(totals, cells, value);
    return totals;
}

void ColumnTotals::add(std::byte *totals, std::size_t block, std::size_t first, const kernels::Columns &rows) const {
    kernels::Columns call = rows;
    call.totals = totals + (block * columns_ + first) * byte_size(kernel_->total());
    kernel_->columns(call);
}

void ColumnTotals::finish(const std::byte *totals, std::byte *target, std::size_t block, std::size_t rows) const {
    const std::byte *const from = totals + block * columns_ * byte_size(kernel_->total());
    std::byte *const to = target + block * columns_ * byte_size(target_type_);
    const auto as_it_is = [](auto total) { return total; };
    const auto average = [=](double total) { return total / static_cast<double>(rows); };
    if (rows == 0) {
        std::memset(to, 0, columns_ * byte_size(target_type_));
    } else if (aggregator_ == Aggregator::avg) {
        convert(from, kernel_->total(), to, target_type_, columns_, average);
    } else if (!is_in_place()) {
        convert(from, kernel_->total(), to, target_type_, columns_, as_it_is);
    }
}

ColumnNest::ColumnNest(const LoopNest<2> &nest) : columns_(nest.run().size), is_plain_(true) {
    const std::vector<Axis<2>> &outer = nest.outer();
    const bool has_rows = !outer.empty() && outer.back().strides[0] == 0;
    if (has_rows) {
        rows_ = outer.back();
    }
    for (std::size_t i = 0; i + (has_rows ? 1 : 0) < outer.size(); ++i) {
        around_.add(outer[i].size, outer[i].strides);
        is_plain_ = false;
    }
}

}  // namespace tenrex::program
