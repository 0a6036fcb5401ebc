#include "lib/reference/change.h"

#include <algorithm>
#include <cmath>

#include "lib/support/function_facts.h"
#include "lib/support/scalar_functions.h"

namespace tenrex::reference {

namespace {

constexpr double pi = 3.14159265358979323846;

using Change = std::optional<double>;
constexpr std::nullopt_t at_the_ends = std::nullopt;

// Of functions that are 0 or 1.
double step(bool certain) noexcept {
    return certain ? 0.0 : 1.0;
}

bool are_known(Number a, Number b) noexcept {
    return a.error < undetermined && b.error < undetermined;
}

bool may_be_equal(Number a, Number b) noexcept {
    return !are_known(a, b) || std::fabs(a.value - b.value) <= a.error + b.error;
}

// The values that a condition may have.
struct Truth {
    bool may_hold;
    bool may_fail;
};
Truth truth_of(Number number) noexcept {
    const bool either = may_be_either(number);
    return {either || number.value != 0.0, either || number.value == 0.0};
}

double change_of_remainder(Number a, Number b) noexcept {
    const double remainder = std::fmod(a.value, b.value);
    if (reaches_zero(b) || !std::isfinite(remainder)) {
        return std::isnan(remainder) && a.error < undetermined && !reaches_zero(b) ? 0.0 : undetermined;
    }
    // The quotient may be infinite.
    const double change = a.error + (b.error == 0.0 ? 0.0 : std::fabs(std::trunc(a.value / b.value)) * b.error);
    const double size = std::fabs(b.value);
    const bool jumps = std::fabs(remainder) <= change || size - std::fabs(remainder) <= change + b.error;
    const double sides = std::fabs(a.value) <= a.error ? 2.0 : 1.0;
    return jumps ? std::min(change + sides * (size + b.error), sides * (size + b.error)) : change;
}

// The rules that functions.def names in the column `change`.
namespace change_rule {

Change ends(Number a, Number b) noexcept {
    return are_known(a, b) ? Change(at_the_ends) : undetermined;
}

Change equality(Number a, Number b) noexcept {
    return step(!may_be_equal(a, b));
}
Change order(Number a, Number b) noexcept {
    return are_known(a, b) ? Change(at_the_ends) : 1.0;
}
Change nearness(Number a, Number b) noexcept {
    const bool differ = functor::approx_equal{}(a.value, b.value) == 0.0;
    return may_be_equal(a, b) && differ ? Change(1.0) : order(a, b);
}
Change being_nan(Number a, Number b) noexcept {
    return step(are_known(a, b));
}
Change negation(Number a, Number) noexcept {
    return step(!may_be_either(a));
}
Change conjunction(Number a, Number b) noexcept {
    const Truth x = truth_of(a);
    const Truth y = truth_of(b);
    return step((x.may_hold && y.may_hold) != (x.may_fail || y.may_fail));
}
Change disjunction(Number a, Number b) noexcept {
    const Truth x = truth_of(a);
    const Truth y = truth_of(b);
    return step((x.may_hold || y.may_hold) != (x.may_fail && y.may_fail));
}

// Of two numbers taken as int8 cells: how many bits differ, and one bit.
Change bits(Number a, Number b) noexcept {
    return same_int8(a) && same_int8(b) ? 0.0 : 8.0;
}
Change bit(Number a, Number b) noexcept {
    return step(same_int8(a) && same_int8(b));
}

Change remainder(Number a, Number b) noexcept {
    return are_known(a, b) ? change_of_remainder(a, b) : undetermined;
}
Change wave(Number a, Number b) noexcept {
    return are_known(a, b) ? std::min(a.error, 2.0) : undetermined;
}
Change tangent(Number a, Number b) noexcept {
    const bool has_pole = a.error >= 1.0 || std::cos(a.value - a.error) * std::cos(a.value + a.error) <= 0.0;
    return has_pole ? undetermined : ends(a, b);
}
Change quotient(Number a, Number b) noexcept {
    return reaches_zero(b) ? undetermined : ends(a, b);
}
Change power(Number a, Number b) noexcept {
    if (!are_known(a, b)) {
        return undetermined;
    }
    if (b.value == 0.0 && b.error == 0.0) {
        return 0.0;
    }
    return (reaches_zero(a) && b.value - b.error <= 0.0) || (a.value < 0.0 && b.error > 0.0) ? Change(undetermined)
                                                                                             : at_the_ends;
}
// Of numbers from -1 to 1 alone.
Change arc(Number a, Number b) noexcept {
    const double size = std::fabs(a.value);
    return size + a.error > 1.0 && size - a.error <= 1.0 ? undetermined : ends(a, b);
}
// The angle jumps where the point may be on the negative axis, and has any value at the origin.
Change angle(Number a, Number b) noexcept {
    return are_known(a, b) && reaches_zero(a) && b.value - b.error <= 0.0 ? Change(2.0 * pi) : ends(a, b);
}

}  // namespace change_rule

using ChangeRule = Change(Number, Number) noexcept;
constexpr ChangeRule *change_rules[] = {
#define TENREX_FACTS(id, range, order, in_float, scalar, change, reference, floats, doubles, operations) \
    change_rule::change,
#include "lib/support/functions.def"
};

}  // namespace

std::optional<double> change_inside(ScalarFunction function, Number a, Number b) noexcept {
    return change_rules[static_cast<std::size_t>(function)](a, b);
}

bool same_int8(Number number) noexcept {
    const double low = number.value - number.error;
    const double high = number.value + number.error;
    return number.error == 0.0 || (number.error < 128.0 && std::trunc(low) == std::trunc(high));
}

}  // namespace tenrex::reference
