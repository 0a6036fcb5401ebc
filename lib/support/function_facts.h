// What may be assumed of each scalar function, from the rows TENREX_FACTS of functions.def. The columns that name rules
// are read where the rules are.
//
// The reference evaluator, which knows nothing of the optimizer, takes from here what docs/numerics.md promises: how
// far kernels may be off, and how scalars are taken beside floats. Tests hold kernels and plans to these promises, so a
// row that promises too little fails there. What the optimizer concludes of a function, its range, its order and
// InFloat, the evaluator does not read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "lib/support/scalar_function.h"

namespace tenrex {

// What computing in float gives for arguments that are floats, beside what computing in double and rounding gives.
enum class InFloat : std::uint8_t {
    differs,
    // A double has more than twice the bits of a float and two: rounding twice is rounding once for arithmetic
    // (Figueroa, 1995), and others choose or are whole numbers.
    same,
    sign,        // the same; no digit changes, so the argument may be computed and rounded before
    comparison,  // the same; 0 or 1, and it depends on the arguments
    truth,       // the same; 0 or 1, and it depends on which arguments are 0
    bounded,     // within the units of the row
};

// How a scalar that is no float, but has a nearest one, is taken beside float cells.
enum class BesideFloats : std::uint8_t {
    in_double,  // as it is: all is computed in double
    // As a float: that changes the result by no more than a rounding. Not so for most functions: of numbers that are
    // close to each other a sum leaves little more than what was rounded; comparisons and remainders jump; powers grow
    // faster than their arguments.
    as_nearest,
    as_sum,  // or as the sum of two floats, one added after the other: sums and differences alone
};

// How the functor in scalar_functions.h computes, which the reference evaluator calls.
enum class Reference : std::uint8_t {
    exact,    // exactly, or correctly rounded
    library,  // by a function of the C library, which is taken to be off by up to a unit in the last place
    formula,  // by some operations; the functor says how far off that is
};

struct FunctionFacts {
    InFloat in_float;
    BesideFloats beside_floats;
    Reference reference;
    // The bounds of docs/numerics.md, in units of the last place of the result.
    double float_units;
    double double_units;
    double operations;  // that kernels need for a cell
};

inline constexpr FunctionFacts function_facts_table[] = {
#define TENREX_FACTS(id, range, order, in_float, scalar, change, reference, floats, doubles, operations) \
    {InFloat::in_float, BesideFloats::scalar, Reference::reference, floats, doubles, operations},
#include "lib/support/functions.def"
};

// Each function has its facts, in the order of the functions: tables of rules rely on it as well.
inline constexpr ScalarFunction functions_with_facts[] = {
#define TENREX_FACTS(id, range, order, in_float, scalar, change, reference, floats, doubles, operations) \
    ScalarFunction::id,
#include "lib/support/functions.def"
};
static_assert(std::equal(std::begin(functions_with_facts), std::end(functions_with_facts),
                         std::begin(scalar_function_table), std::end(scalar_function_table),
                         [](ScalarFunction function, const ScalarFunctionInfo &info) { return function == info.id; }),
              "functions.def needs a row TENREX_FACTS for each function, in the same order");

constexpr const FunctionFacts &facts(ScalarFunction function) noexcept {
    return function_facts_table[static_cast<std::size_t>(function)];
}

}  // namespace tenrex
