// The loop of all kernels over rows that lie anywhere, over the steps of row_pairs-inl.h: some rows are combined while
// those after them are fetched. A result has the bits that a kernel over pairs of rows gives, rounded to float.
#pragma once

#include "lib/kernels/gathered/gathered.h"
#include "lib/kernels/row_pairs/row_pairs-inl.h"

#define TENREX_KERNEL(operation, a, b, planes, target, function, per_row, per_cell) \
    namespace tenrex::kernels::target {                                             \
    GatheredFunction function;                                                      \
    }
#include "lib/kernels/gathered/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

// Asks for the cells of some rows. Inlined always: GCC takes a function that does nothing else for one that does
// nothing, and leaves the call out.
[[gnu::always_inline]] inline void fetch_rows(const GatheredRows &gathered, std::size_t bytes, std::size_t from,
                                              std::size_t to) {
    for (std::size_t i = from; i < to && i < gathered.count; ++i) {
        const char *const row = static_cast<const char *>(gathered.rows) + gathered.numbers[i] * gathered.stride;
        for (std::size_t byte = 0; byte < bytes; byte += 64) {
            __builtin_prefetch(row + byte);
        }
    }
}

// How many rows are fetched ahead, where `at_once` are combined together.
inline std::size_t rows_ahead(std::size_t bytes, std::size_t at_once) {
    return bytes * at_once < bytes_ahead ? bytes_ahead / (bytes + 1) + 1 : at_once;
}

template <class Step, class A, class B, std::size_t planes, std::size_t rows>
inline void gathered_group(const GatheredRows &gathered, std::size_t first) {
    Group<A, B, rows, true> group;
    group.a[0] = row<A>(gathered.row, 0, 0);
    for (std::size_t i = 0; i < rows; ++i) {
        group.b[i] = row<B>(gathered.rows, static_cast<std::ptrdiff_t>(gathered.stride), gathered.numbers[first + i]);
    }
    float *const out = gathered.out + first;
    store_totals<Step>(group, 0, gathered.length, out);
    for (std::size_t plane = 1; plane < planes; ++plane) {
        float totals[rows];
        group.a[0] = at(group.a[0], gathered.length);
        store_totals<Step>(group, 0, gathered.length, totals);
        for (std::size_t i = 0; i < rows; ++i) {
            out[i] += totals[i] * static_cast<float>(1 << plane);
        }
    }
}

template <class Step, class A, class B, std::size_t planes = 1>
inline void gathered_rows(const GatheredRows &gathered) {
    constexpr std::size_t some = Step::rows_at_once;
    const std::size_t bytes = bytes_of(static_cast<const B *>(nullptr), gathered.length);
    const std::size_t ahead = rows_ahead(bytes, some);
    std::size_t done = 0;
    fetch_rows(gathered, bytes, 0, ahead);
    for (; gathered.count - done >= some; done += some) {
        fetch_rows(gathered, bytes, done + ahead, done + ahead + some);
        gathered_group<Step, A, B, planes, some>(gathered, done);
    }
    for (; done < gathered.count; ++done) {
        gathered_group<Step, A, B, planes, 1>(gathered, done);
    }
}

}  // namespace
}  // namespace tenrex::kernels
