// How far correct aggregates may be from the oracle's: the rules for sums and their like, in whatever order and
// grouping.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "lib/reference/rounding.h"

namespace tenrex::reference {

// What may have become of cells before they are aggregated.
struct Origin {
    // Rounded when they were stored, so that a contraction, which stores nothing, has other digits.
    bool inexact = false;
    bool inexact_in_float = false;  // rounded to float before it became part of a double
    // A finite number became an infinity when it was stored, or when two were multiplied: a sum that multiplies and
    // adds at once has no such infinity.
    bool overflowed = false;
    // Computed in float, cell by cell or as sums of such cells: a sum of them may be formed in float, and without
    // storing them. It is not if all operands are int8.
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
        overflowed |= std::isinf(cell.value) && (std::isfinite(number.value) || number.inexact);
    }
};
// Of a value that has cells of both.
Origin combined(const Origin &a, const Origin &b) noexcept;

// The rounding of a sum of `count` terms, whatever their order: what a result is off by at most, in units of the sum of
// magnitudes.
double additions(double count) noexcept;

// The errors of aggregates. add() gets the cells, one after the other; of() is asked for the error of `result`, which
// is what the oracle has made of them. `from` and `type` are of the cells.

class SumError {
public:
    void add(Number cell) noexcept;
    double of(double result, const Origin &from, CellType type) const noexcept;
    double count() const noexcept { return count_; }

private:
    double count_ = 0.0;
    double errors_ = 0.0;
    double magnitudes_ = 0.0;     // of the finite cells
    double grid_ = undetermined;  // the lowest bit that is set in any cell
    bool special_ = false;        // an infinity or NaN is among the cells
};

class ProductError {
public:
    void add(Number cell) noexcept;
    double of(double result, const Origin &from, CellType type) const noexcept;
    double count() const noexcept { return count_; }

private:
    double count_ = 0.0;
    double errors_ = 0.0;
    double up_ = 1.0;        // of magnitudes above 1
    double down_ = 1.0;      // of the others but zeros
    double furthest_ = 1.0;  // of magnitudes and errors
    double product_ = 1.0;   // of magnitudes
    double odd_ = 1.0;       // of magnitudes as odd numbers
    bool special_ = false;
    bool zero_ = false;
    bool vague_zero_ = false;
};

// Of a median each end of its range is the median of such ends.
class MedianError {
public:
    void add(Number cell);
    // median: what makes one of cells.
    double of(double result, const std::function<double(std::vector<double>)> &median) const;
    double count() const noexcept { return static_cast<double>(lows_.size()); }

private:
    std::vector<double> lows_;
    std::vector<double> highs_;
    bool vague_ = false;
};

// Of the largest cell, or the smallest.
class ExtremeError {
public:
    explicit ExtremeError(bool largest) noexcept : largest_(largest) {}
    void add(Number cell) noexcept;
    double of(double result, const Origin &from, CellType type) const noexcept;
    double count() const noexcept { return count_; }

private:
    bool largest_;
    bool vague_ = false;
    bool special_ = false;
    bool zeros_[2] = {false, false};
    double count_ = 0.0;
    // The ends of the range in which the extreme is: NaN if all cells are.
    double low_ = std::numeric_limits<double>::quiet_NaN();
    double high_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace tenrex::reference
