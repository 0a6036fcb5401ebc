// How far a correct evaluation may be from the oracle's numbers: the rules of docs/numerics.md as an analysis that runs
// along with the evaluation. Each number has an absolute error; one of 0 says that every correct evaluation gives that
// number, an infinite one that nothing is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <tenrex/cell_type.h>

#include "lib/support/scalar_function.h"

namespace tenrex::reference {

struct Number {
    double value = 0.0;
    double error = 0.0;
    bool inexact = false;  // rounded on its way, which a contraction that does not store it may not do
};

inline constexpr double undetermined = std::numeric_limits<double>::infinity();
// The error of a 0 whose sign is not known.
inline constexpr double unknown_sign = std::numeric_limits<double>::denorm_min();

// How far two numbers are apart; NaN is equal to NaN, and nothing else is near to it or to an infinity.
double distance(double a, double b) noexcept;

// The unit in the last place of a number, upwards; 0 for what is not finite. All types but double count as float.
double unit_in_last_place(CellType type, double value) noexcept;
// Whether the number may be 0, or of the other sign, and need not.
bool reaches_zero(Number number) noexcept;

// The value rounded to a cell of that type.
double rounded(CellType type, double value) noexcept;
// With the error of a cell that is rounded as the number is.
Number rounded(CellType type, Number number) noexcept;

// Whether some correct evaluation may take the number for 0 where another one does not.
bool may_be_either(Number condition) noexcept;
// The largest change of a function that rises or falls with each argument alone, or whose steps the arguments' errors
// do not reach.
double largest_change(const std::function<double(const double *)> &function, const Number *arguments,
                      std::size_t count);

// A scalar function of cells.
struct CellFunction {
    ScalarFunction function;
    CellType result = CellType::f64;  // a scalar is a double
    // Whether an argument is a scalar beside cells.
    bool scalar_a = false;
    bool scalar_b = false;
};
Number apply(const CellFunction &function, Number a);
Number apply(const CellFunction &function, Number a, Number b);

// Whether the product of doubles is one that a kernel which adds it at once does not round.
bool is_rounded_product(double a, double b) noexcept;
// What was computed in double, to be stored as a cell of that type: one function of it may be computed in float.
Number narrowed(CellType result, Number number) noexcept;

}  // namespace tenrex::reference
