// The loop of all kernels over pairs of rows. It is a template over a Step, which says how to load some cells of each
// operand and how to combine them into a vector of sums:
//
//   Vector, Sum            types: sums in lanes, the total of a row
//   lanes, rows_at_once    cells in a step; rows of a group
//   Native                 the type of cells that load() takes as they are
//   block                  cells after which a total might overflow, a multiple of 4 * lanes; 0 for floating point
//   load(p), load(p, n)    `lanes` cells; the first n < lanes cells with zeros behind them
//   step(sums, a, b)       the sums with one step added
//   has_aside              whether step leaves something in that depends on operand a alone, and then
//     aside(sums, a)         adds the like, and
//     without(sums, aside)   removes it in the end
//   add(sums, sums), sum(vectors of some rows, totals of these rows)
//
// Every row has four vectors of sums, which the steps use in turn. So the order of additions depends on the length
// alone: not on the number of rows, the position among them, the alignment or on an operand being shared.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/row_pairs/row_pairs.h"

namespace tenrex::kernels {
namespace {

// Some rows of both operands. With `shared` all have the same a.
template <class A, class B, std::size_t rows, bool shared>
struct Group {
    const A *a[shared ? 1 : rows];
    const B *b[rows];
};

template <class Step, std::size_t rows, bool shared>
struct Sums {
    typename Step::Vector of[rows][4];
    typename Step::Vector aside[shared ? 1 : rows][4];
};

// Asks for the cells that the same place of a later group will need. It pays only for cells of one byte, whose rows are
// computed faster than they arrive unasked; wider cells were measured to lose more from L2 than they gain from memory.
// No way ahead: rows that lie anywhere, which gathered-inl.h fetches.
template <std::size_t cells, class A, class B, std::size_t rows, bool shared>
[[gnu::always_inline]] inline void prefetch(const Group<A, B, rows, shared> &group, std::ptrdiff_t ahead,
                                            std::size_t from) {
    if constexpr (__is_same(B, i8) && rows > 1 && shared) {
        if (ahead == 0) {
            return;
        }
        for (const B *cells_of_row : group.b) {
            const char *address = reinterpret_cast<const char *>(at(cells_of_row, from)) + ahead;
            for (std::size_t byte = 0; byte < cells; byte += 64) {
                __builtin_prefetch(address + byte);
            }
        }
    }
}

// One step of all rows into their sums number `which`.
template <std::size_t which, class Step, class A, class B, std::size_t rows, bool shared, class... Count>
[[gnu::always_inline]] inline void step(Sums<Step, rows, shared> &sums, const Group<A, B, rows, shared> &group,
                                        std::size_t from, Count... count) {
    auto a = Step::load(at(group.a[0], from), count...);
    for (std::size_t row = 0; row < rows; ++row) {
        if (row > 0 && !shared) {
            a = Step::load(at(group.a[shared ? 0 : row], from), count...);
        }
        if constexpr (Step::has_aside) {
            if (row == 0 || !shared) {
                sums.aside[shared ? 0 : row][which] = Step::aside(sums.aside[shared ? 0 : row][which], a);
            }
        }
        sums.of[row][which] = Step::step(sums.of[row][which], a, Step::load(at(group.b[row], from), count...));
    }
}

// The totals of cells `from` to `to` of some rows.
template <class Step, class A, class B, std::size_t rows, bool shared>
[[gnu::always_inline]] inline void total(const Group<A, B, rows, shared> &group, std::ptrdiff_t ahead, std::size_t from,
                                         std::size_t to, typename Step::Sum *totals) {
    constexpr std::size_t lanes = Step::lanes;
    Sums<Step, rows, shared> sums;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t which = 0; which < 4; ++which) {
            sums.of[row][which] = Step::zero();
            sums.aside[shared ? 0 : row][which] = Step::zero();
        }
    }
    for (; to - from >= 4 * lanes; from += 4 * lanes) {
        prefetch<4 * lanes>(group, ahead, from);
        step<0>(sums, group, from);
        step<1>(sums, group, from + lanes);
        step<2>(sums, group, from + 2 * lanes);
        step<3>(sums, group, from + 3 * lanes);
    }
    if (to - from >= lanes) {
        step<0>(sums, group, from);
        from += lanes;
        if (to - from >= lanes) {
            step<1>(sums, group, from);
            from += lanes;
            if (to - from >= lanes) {
                step<2>(sums, group, from);
                from += lanes;
            }
        }
    }
    if (from < to) {
        step<3>(sums, group, from, to - from);
    }
    typename Step::Vector vectors[rows];
    for (std::size_t row = 0; row < rows; ++row) {
        const auto &of = sums.of[row];
        vectors[row] = Step::add(Step::add(of[0], of[1]), Step::add(of[2], of[3]));
        if constexpr (Step::has_aside) {
            const auto &aside = sums.aside[shared ? 0 : row];
            vectors[row] =
                Step::without(vectors[row], Step::add(Step::add(aside[0], aside[1]), Step::add(aside[2], aside[3])));
        }
    }
    Step::sum(vectors, totals);
}

template <class Step, class A, class B, std::size_t rows, bool shared, class Out>
[[gnu::always_inline]] inline void store_totals(const Group<A, B, rows, shared> &group, std::ptrdiff_t ahead,
                                                std::size_t length, Out *out) {
    if constexpr (Step::block == 0) {
        total<Step>(group, ahead, 0, length, out);
    } else {
        typename Step::Sum totals[rows];
        if (length <= Step::block) {
            total<Step>(group, ahead, 0, length, totals);
            for (std::size_t row = 0; row < rows; ++row) {
                out[row] = static_cast<Out>(totals[row]);
            }
            return;
        }
        std::int64_t sums[rows] = {};
        for (std::size_t from = 0; from < length; from += Step::block) {
            total<Step>(group, ahead, from, length - from < Step::block ? length : from + Step::block, totals);
            for (std::size_t row = 0; row < rows; ++row) {
                sums[row] += totals[row];
            }
        }
        for (std::size_t row = 0; row < rows; ++row) {
            out[row] = static_cast<Out>(sums[row]);
        }
    }
}

// Whether to take several rows at a time. It pays for short rows, whose lanes are then joined together, and for a
// shared operand that is costly to load. Long rows that need little computing arrive faster one after the other than
// side by side: one stream of addresses is what the hardware's prefetching follows best.
template <class Step, class A, class B, bool shared>
inline bool in_groups(std::size_t length) {
    constexpr std::size_t short_row = 256;
    constexpr bool costly =
        Step::has_aside || !__is_same(A, typename Step::Native) || sizeof(typename Step::Vector) <= 16;
    return (shared && costly) || bytes_of(static_cast<const B *>(nullptr), length) <= short_row;
}

// A function of its own: a document alone needs little more than this, without what a loop over rows would set up.
template <class Step, class A, class B, class Out>
[[gnu::noinline]] void one_row(const A *a, const B *b, std::size_t length, Out *out) {
    store_totals<Step>(Group<A, B, 1, true>{{a}, {b}}, 0, length, out);
}

// The same for each row from `first` on.
template <class Step, class A, class B, class Out>
[[gnu::noinline]] void row_by_row(const void *a, std::ptrdiff_t a_stride, const void *b, std::ptrdiff_t b_stride,
                                  std::size_t first, std::size_t rows, std::size_t length, Out *out) {
    for (std::size_t i = first; i < rows; ++i) {
        const Group<A, B, 1, true> group{{row<A>(a, a_stride, i)}, {row<B>(b, b_stride, i)}};
        store_totals<Step>(group, 0, length, out + i);
    }
}

template <class Step, class A, class B, bool shared, class Out>
void all_rows(const void *a, std::ptrdiff_t a_stride, const void *b, std::ptrdiff_t b_stride, std::size_t rows,
              std::size_t length, Out *out) {
    constexpr std::size_t some = Step::rows_at_once;
    std::size_t done = 0;
    if (in_groups<Step, A, B, shared>(length)) {
        for (; rows - done >= some; done += some) {
            Group<A, B, some, shared> group;
            for (std::size_t i = 0; i < some; ++i) {
                group.a[shared ? 0 : i] = row<A>(a, a_stride, done + (shared ? 0 : i));
                group.b[i] = row<B>(b, b_stride, done + i);
            }
            store_totals<Step>(group, 2 * static_cast<std::ptrdiff_t>(some) * b_stride, length, out + done);
        }
    }
    if (done < rows) {
        row_by_row<Step, A, B>(a, a_stride, b, b_stride, done, rows, length, out);
    }
}

// A kernel whose operands play the same part: whichever is shared is loaded once for some rows.
template <class Step, class A, class B, class Out = typename Step::Sum>
inline void row_pairs(const RowPairs &pairs) {
    const auto &[a, a_stride, b, b_stride, rows, length, out] = pairs;
    if (rows == 1) {
        one_row<Step>(row<A>(a, 0, 0), row<B>(b, 0, 0), length, static_cast<Out *>(out));
    } else if (a_stride == 0) {
        all_rows<Step, A, B, true>(a, 0, b, b_stride, rows, length, static_cast<Out *>(out));
    } else if (b_stride == 0) {
        all_rows<Step, B, A, true>(b, 0, a, a_stride, rows, length, static_cast<Out *>(out));
    } else {
        all_rows<Step, A, B, false>(a, a_stride, b, b_stride, rows, length, static_cast<Out *>(out));
    }
}

// Steps for the vectors of simd/<target>-inl.h. A difference is squared, or its magnitude taken.
template <class Simd>
struct Product : Simd {
    using Vector = typename Simd::Vector;
    static constexpr bool has_aside = false;
    template <class Loaded>
    static Vector step(Vector sums, Loaded a, Loaded b) {
        return Simd::multiply_add(a, b, sums);
    }
};

template <class Simd>
struct SquaredDifference : Simd {
    using Vector = typename Simd::Vector;
    static constexpr bool has_aside = false;
    template <class Loaded>
    static Vector step(Vector sums, Loaded a, Loaded b) {
        const Loaded difference = Simd::subtract(a, b);
        return Simd::multiply_add(difference, difference, sums);
    }
};

template <class Simd>
struct AbsoluteDifference : Simd {
    using Vector = typename Simd::Vector;
    static constexpr bool has_aside = false;
    template <class Loaded>
    static Vector step(Vector sums, Loaded a, Loaded b) {
        return Simd::add(sums, Simd::magnitude(Simd::subtract(a, b)));
    }
};

}  // namespace
}  // namespace tenrex::kernels
