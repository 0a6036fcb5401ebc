#include "lib/reference/rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "lib/support/scalar_functions.h"

namespace tenrex::reference {

namespace {

constexpr double pi = 3.14159265358979323846;

// What kernels and the C library may be off by: the table of docs/numerics.md, in units of the last place. 0: exact or
// correctly rounded, so that all give the same.
struct FunctionError {
    double single = 0.0;
    double twice = 0.0;  // in double, the oracle's own error included
};

FunctionError error_of(ScalarFunction function) noexcept {
    switch (function) {
        case ScalarFunction::power:
        case ScalarFunction::pow:
            return {1.2, 2.2};  // a cube may be two products
        case ScalarFunction::acos:
        case ScalarFunction::asin:
        case ScalarFunction::atan:
        case ScalarFunction::atan2:
        case ScalarFunction::cos:
        case ScalarFunction::log:
        case ScalarFunction::sin:
        case ScalarFunction::tan:
            return {1.0, 2.0};
        case ScalarFunction::exp:
            return {1.1, 2.1};
        case ScalarFunction::cosh:
            return {1.0, 3.0};
        case ScalarFunction::sinh:
            return {1.0, 4.0};
        case ScalarFunction::elu:
            return {1.2, 2.2};
        case ScalarFunction::erf:
        case ScalarFunction::tanh:
            return {1.5, 2.5};
        case ScalarFunction::log10:
            return {2.0, 3.0};
        case ScalarFunction::sigmoid:
            return {2.0, 5.0};  // three roundings are the oracle's
        default:
            return {};
    }
}

// What the formulas by which the oracle computes lose, beyond units in the last place.
double lost_by_formula(ScalarFunction function, double a) noexcept {
    if (function == ScalarFunction::elu && a < 0.0) {
        return 0x1p-52;  // of exp(a)-1
    }
    if (function == ScalarFunction::sigmoid && a < -708.0) {
        return 0x1p-1021;  // exp(-a) overflows
    }
    return 0.0;
}

// Functions that take a scalar beside float cells as the double that it is: docs/numerics.md. The others may take it
// as a float, or as two.
bool takes_scalar_as_double(ScalarFunction function) noexcept {
    switch (function) {
        case ScalarFunction::add:
        case ScalarFunction::subtract:
        case ScalarFunction::multiply:
        case ScalarFunction::divide:
        case ScalarFunction::max:
        case ScalarFunction::min:
        case ScalarFunction::atan2:
            return false;
        default:
            return true;
    }
}

// Of functions that are 0 or 1.
double step(bool certain) noexcept {
    return certain ? 0.0 : 1.0;
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

bool same_int8(Number number) noexcept {
    const double low = number.value - number.error;
    const double high = number.value + number.error;
    return number.error == 0.0 || (number.error < 128.0 && std::trunc(low) == std::trunc(high));
}

double change_of_remainder(Number a, Number b) noexcept {
    const double remainder = std::fmod(a.value, b.value);
    if (reaches_zero(b) || !std::isfinite(remainder)) {
        return std::isnan(remainder) && a.error < undetermined && !reaches_zero(b) ? 0.0 : undetermined;
    }
    const double change = a.error + std::fabs(std::trunc(a.value / b.value)) * b.error;
    const double size = std::fabs(b.value);
    const bool jumps = std::fabs(remainder) <= change || size - std::fabs(remainder) <= change + b.error;
    const double sides = std::fabs(a.value) <= a.error ? 2.0 : 1.0;
    return jumps ? std::min(change + sides * (size + b.error), sides * (size + b.error)) : change;
}

// Functions whose largest change is not at an end of the arguments' ranges, by their own rules; nothing: it is.
std::optional<double> change_inside(ScalarFunction function, Number a, Number b) noexcept {
    const bool known = a.error < undetermined && b.error < undetermined;
    const bool overlap = !known || std::fabs(a.value - b.value) <= a.error + b.error;
    switch (function) {
        case ScalarFunction::equal:
        case ScalarFunction::not_equal:
            return step(!overlap);
        case ScalarFunction::less:
        case ScalarFunction::less_equal:
        case ScalarFunction::greater:
        case ScalarFunction::greater_equal:
            return known ? std::nullopt : std::optional(1.0);
        case ScalarFunction::approx_equal:
            return overlap && tenrex::apply(function, a.value, b.value) == 0.0 ? std::optional(1.0)
                   : known                                                     ? std::nullopt
                                                                               : std::optional(1.0);
        case ScalarFunction::is_nan:
            return step(known);
        case ScalarFunction::logical_not:
            return step(!may_be_either(a));
        case ScalarFunction::logical_and: {
            const Truth x = truth_of(a);
            const Truth y = truth_of(b);
            return step((x.may_hold && y.may_hold) != (x.may_fail || y.may_fail));
        }
        case ScalarFunction::logical_or: {
            const Truth x = truth_of(a);
            const Truth y = truth_of(b);
            return step((x.may_hold || y.may_hold) != (x.may_fail && y.may_fail));
        }
        case ScalarFunction::hamming:
            return same_int8(a) && same_int8(b) ? 0.0 : 8.0;
        case ScalarFunction::bit:
            return step(same_int8(a) && same_int8(b));
        default:
            break;
    }
    if (!known) {
        return undetermined;
    }
    switch (function) {
        case ScalarFunction::modulo:
        case ScalarFunction::fmod:
            return change_of_remainder(a, b);
        case ScalarFunction::sin:
        case ScalarFunction::cos:
            return std::min(a.error, 2.0);
        case ScalarFunction::tan:
            return a.error >= 1.0 || std::cos(a.value - a.error) * std::cos(a.value + a.error) <= 0.0
                       ? std::optional(undetermined)
                       : std::nullopt;
        case ScalarFunction::divide:
            return reaches_zero(b) ? std::optional(undetermined) : std::nullopt;
        case ScalarFunction::power:
        case ScalarFunction::pow:
            if (b.value == 0.0 && b.error == 0.0) {
                return 0.0;
            }
            return (reaches_zero(a) && b.value - b.error <= 0.0) || (a.value < 0.0 && b.error > 0.0)
                       ? std::optional(undetermined)
                       : std::nullopt;
        case ScalarFunction::atan2:
            // The angle jumps where the point may be on the negative axis, and has any value at the origin.
            return reaches_zero(a) && b.value - b.error <= 0.0 ? std::optional(2.0 * pi) : std::nullopt;
        default:
            return std::nullopt;
    }
}

bool rounds_product(ScalarFunction function, double a, double b) noexcept {
    return function == ScalarFunction::square ? is_rounded_product(a, a)
                                              : function == ScalarFunction::multiply && is_rounded_product(a, b);
}

Number apply_to(const CellFunction &cells, const Number *arguments, std::size_t count) {
    const ScalarFunction function = cells.function;
    const auto call = [&](const double *at) {
        return count == 1 ? tenrex::apply(function, at[0]) : tenrex::apply(function, at[0], at[1]);
    };
    const std::array<double, 2> values = {arguments[0].value, count == 1 ? 0.0 : arguments[1].value};
    Number result{call(values.data())};
    if (arguments[0].error > 0.0 || (count == 2 && arguments[1].error > 0.0)) {
        const Number last = count == 2 ? arguments[1] : Number{0.0, 0.0};
        const std::optional<double> inside = change_inside(function, arguments[0], last);
        result.error = inside ? *inside : largest_change(call, arguments, count);
    }
    result.inexact =
        arguments[0].inexact || (count == 2 && arguments[1].inexact) || rounds_product(function, values[0], values[1]);
    const CellType computed = cells.result == CellType::f64 ? CellType::f64 : CellType::f32;
    const FunctionError own = error_of(function);
    const double units = computed == CellType::f64 ? own.twice : own.single;
    if (units > 0.0) {
        result.error += units * unit_in_last_place(computed, result.value) + lost_by_formula(function, values[0]);
    }
    if (computed == CellType::f32 && !takes_scalar_as_double(function)) {
        const auto is_rounded = [&](bool scalar, Number number) {
            return scalar && (number.error > 0.0 || rounded(CellType::f32, number.value) != number.value);
        };
        if (is_rounded(cells.scalar_a, arguments[0]) || (count == 2 && is_rounded(cells.scalar_b, arguments[1]))) {
            result.error += unit_in_last_place(computed, result.value);
        }
    }
    return result;
}

}  // namespace

double unit_in_last_place(CellType type, double value) noexcept {
    if (!std::isfinite(value)) {
        return 0.0;
    }
    if (type == CellType::f64) {
        return std::nextafter(std::fabs(value), undetermined) - std::fabs(value);
    }
    const float magnitude = std::fabs(static_cast<float>(value));
    if (std::isinf(magnitude)) {
        return 0.0;
    }
    const float next = std::nextafter(magnitude, std::numeric_limits<float>::infinity());
    return std::isinf(next) ? 0x1p104 : static_cast<double>(next) - static_cast<double>(magnitude);
}

bool reaches_zero(Number number) noexcept {
    return number.error > 0.0 && std::fabs(number.value) <= number.error;
}

double distance(double a, double b) noexcept {
    if (a == b || (std::isnan(a) && std::isnan(b))) {
        return 0.0;
    }
    return std::isfinite(a) && std::isfinite(b) ? std::fabs(a - b) : undetermined;
}

double rounded(CellType type, double value) noexcept {
    return visit_cell_type(type, [&](auto cell) { return static_cast<double>(to_cell<decltype(cell)>(value)); });
}

Number rounded(CellType type, Number number) noexcept {
    const double value = rounded(type, number.value);
    const bool inexact = number.inexact || !(value == number.value || std::isnan(value));
    if (number.error == 0.0 || type == CellType::f64 || number.error == undetermined) {
        return {value, number.error, inexact};
    }
    if (type == CellType::i8) {
        return {value, same_int8(number) ? 0.0 : 255.0, inexact};
    }
    const double low = rounded(type, number.value - number.error);
    const double high = rounded(type, number.value + number.error);
    const double error = std::max(distance(low, value), distance(high, value));
    return {value, value == 0.0 && error == 0.0 ? unknown_sign : error, inexact};
}

bool may_be_either(Number condition) noexcept {
    return condition.error > 0.0 && !(std::fabs(condition.value) > condition.error);
}

double largest_change(const std::function<double(const double *)> &function, const Number *arguments,
                      std::size_t count) {
    constexpr std::size_t most_corners = 12;
    std::vector<double> at(count);
    std::vector<std::size_t> inexact;
    for (std::size_t i = 0; i < count; ++i) {
        at[i] = arguments[i].value;
        if (arguments[i].error == undetermined) {
            return undetermined;
        }
        if (arguments[i].error > 0.0) {
            inexact.push_back(i);
        }
    }
    if (inexact.size() > most_corners) {
        return undetermined;
    }
    const double value = function(at.data());
    double change = 0.0;
    for (std::size_t corner = 0; corner < std::size_t{1} << inexact.size(); ++corner) {
        for (std::size_t i = 0; i < inexact.size(); ++i) {
            const Number argument = arguments[inexact[i]];
            at[inexact[i]] = argument.value + ((corner >> i) % 2 == 0 ? argument.error : -argument.error);
        }
        change = std::max(change, distance(function(at.data()), value));
    }
    return change;
}

Number apply(const CellFunction &function, Number a) {
    return apply_to(function, &a, 1);
}

Number apply(const CellFunction &function, Number a, Number b) {
    const Number arguments[] = {a, b};
    return apply_to(function, arguments, 2);
}

bool is_rounded_product(double a, double b) noexcept {
    const double product = a * b;
    return std::isfinite(product) ? std::fma(a, b, -product) != 0.0 : std::isfinite(a) && std::isfinite(b);
}

Number narrowed(CellType result, Number number) noexcept {
    constexpr double units = 2.0;  // the most that the table of docs/numerics.md has
    if (number.error > 0.0 && result == CellType::f32) {
        number.error += units * unit_in_last_place(CellType::f32, number.value);
    }
    return number;
}

}  // namespace tenrex::reference
