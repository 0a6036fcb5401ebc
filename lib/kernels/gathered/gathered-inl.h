// The loop of all kernels over rows that lie anywhere, over the steps of row_pairs-inl.h: some rows are combined while
// those after them are fetched. A result has the bits that a kernel over pairs of rows gives, rounded to float.
#pragma once

#include "lib/kernels/gathered/gathered.h"
#include "lib/kernels/row_pairs/row_pairs-inl.h"

#define TENREX_KERNEL(operation, a, b, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                     \
    GatheredFunction function;                                              \
    }
#include "lib/kernels/gathered/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

inline void fetch_row(const char *row, std::size_t bytes) {
    for (std::size_t byte = 0; byte < bytes; byte += 64) {
        __builtin_prefetch(row + byte);
    }
}

template <class Step, class A, class B, std::size_t rows>
inline void gathered_group(const GatheredRows &gathered, std::size_t first) {
    Group<A, B, rows, true> group;
    group.a[0] = row<A>(gathered.row, 0, 0);
    for (std::size_t i = 0; i < rows; ++i) {
        group.b[i] = row<B>(gathered.rows, static_cast<std::ptrdiff_t>(gathered.stride), gathered.numbers[first + i]);
    }
    store_totals<Step>(group, 0, gathered.length, gathered.out + first);
}

template <class Step, class A, class B>
inline void gathered_rows(const GatheredRows &gathered) {
    constexpr std::size_t some = Step::rows_at_once;
    const std::size_t bytes = bytes_of(static_cast<const B *>(nullptr), gathered.length);
    const auto fetch = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to && i < gathered.count; ++i) {
            fetch_row(static_cast<const char *>(gathered.rows) + gathered.numbers[i] * gathered.stride, bytes);
        }
    };
    // As many rows are under way as wait for memory together without driving each other out of the first-level cache.
    constexpr std::size_t most_bytes = 8192;
    const std::size_t ahead = bytes * some < most_bytes ? most_bytes / (bytes + 1) + 1 : some;
    std::size_t done = 0;
    fetch(0, ahead);
    for (; gathered.count - done >= some; done += some) {
        fetch(done + ahead, done + ahead + some);
        gathered_group<Step, A, B, some>(gathered, done);
    }
    for (; done < gathered.count; ++done) {
        gathered_group<Step, A, B, 1>(gathered, done);
    }
}

}  // namespace
}  // namespace tenrex::kernels
