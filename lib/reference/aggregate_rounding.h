// How far correct aggregates may be from the oracle's: the rules for sums and their like, in whatever order and
// grouping.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "lib/reference/rounding.h"

namespace tenrex::reference {

// What may have become of cells before they are aggregated.
struct Origin {
    // Rounded when they were stored, so that a contraction, which stores nothing, has other digits.
    bool inexact = false;
    // A finite number became an infinity when it was stored.
    bool overflowed = false;
    // Computed cell by cell in float: a sum of them may be formed in float. It is not if all operands are int8.
    bool computed = false;
    bool of_int8 = false;
    // False: which addresses there are depends on numbers within their errors.
    bool addresses_known = true;
    // Sums of products may be regrouped: how many factors and terms there are in a cell, and what no product of them
    // nor sum of such products can exceed.
    double factors = 1;
    double terms = 1;
    double largest = 0;  // 0: of one factor, not known yet

    // What storing the number as that cell shows.
    void note(Number number, Number cell) noexcept {
        inexact |= cell.inexact;
        overflowed |= std::isinf(cell.value) && std::isfinite(number.value);
    }
};
// Of a value that has cells of both.
Origin combined(const Origin &a, const Origin &b) noexcept;

// The rounding of a sum of `count` terms, whatever their order: what a result is off by at most, in units of the sum of
// magnitudes.
double additions(double count) noexcept;

// The error of an aggregate, from its cells one after the other.
class AggregateError {
public:
    void add(Number cell) noexcept;
    // result: what the oracle has; of all cells. `from`: of the cells.
    double of_sum(double result, const Origin &from, CellType cells) const noexcept;
    double of_product(double result) const noexcept;
    double of_largest(double result, const Origin &from) const noexcept;
    double of_smallest(double result, const Origin &from) const noexcept;
    std::uint64_t count() const noexcept { return count_; }

private:
    double of_extreme(double result, double low, double high, const Origin &from) const noexcept;

    std::uint64_t count_ = 0;
    double errors_ = 0.0;
    double magnitudes_ = 0.0;  // of the finite cells
    bool special_ = false;     // an infinity or NaN is among the cells
    bool zeros_[2] = {false, false};
    int lowest_bit_ = std::numeric_limits<int>::max();
    // Of products.
    double up_ = 1.0;        // of the magnitudes that are at least 1
    double down_ = 1.0;      // of the others but zeros
    double furthest_ = 1.0;  // of magnitudes and errors
    double product_ = 1.0;   // of magnitudes
    double odd_ = 1.0;       // of the magnitudes as odd numbers
    bool vague_zero_ = false;
    // Of extremes, NaN if all cells are.
    double high_of_highs_ = std::numeric_limits<double>::quiet_NaN();
    double high_of_lows_ = std::numeric_limits<double>::quiet_NaN();
    double low_of_highs_ = std::numeric_limits<double>::quiet_NaN();
    double low_of_lows_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace tenrex::reference
