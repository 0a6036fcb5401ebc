#include "lib/reference/rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "lib/reference/change.h"
#include "lib/support/function_facts.h"
#include "lib/support/scalar_functions.h"

namespace tenrex::reference {

namespace {

// How far off a result may be beyond what its arguments' errors make of it.
struct OwnError {
    double units = 0.0;  // in the last place
    double lost = 0.0;
};

// The error of a functor, whose result is a double.
template <class Functor, Reference computes>
OwnError error_of_functor(double a) noexcept {
    if constexpr (computes == Reference::formula) {
        return {Functor::units, Functor::lost(a)};
    } else {
        return {computes == Reference::library ? 1.0 : 0.0, 0.0};
    }
}

OwnError error_of_functor(ScalarFunction function, double a) noexcept {
    switch (function) {
#define TENREX_FACTS(id, range, order, in_float, scalar, change, reference, floats, doubles, operations) \
    case ScalarFunction::id:                                                                             \
        return error_of_functor<functor::id, Reference::reference>(a);
#include "lib/support/functions.def"
    }
    __builtin_unreachable();
}

// What kernels and the oracle may be off by: the table of docs/numerics.md.
OwnError own_error(ScalarFunction function, CellType computed, double a) noexcept {
    const FunctionFacts &known = facts(function);
    const OwnError functor = error_of_functor(function, a);
    if (computed == CellType::f64) {
        return {known.double_units + functor.units, functor.lost};
    }
    const bool is_power = function == ScalarFunction::pow || function == ScalarFunction::power;
    constexpr double two_products = 1.2;  // which a cube may be
    return {is_power ? two_products : known.float_units, functor.lost};
}

// The most units that the table has for float cells.
constexpr double most_float_units = [] {
    double most = 0.0;
    for (const FunctionFacts &function : function_facts_table) {
        most = std::max(most, function.float_units);
    }
    return most;
}();

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
    const OwnError own = own_error(function, computed, values[0]);
    if (own.units > 0.0) {
        result.error += own.units * unit_in_last_place(computed, result.value) + own.lost;
    }
    if (computed == CellType::f32 && facts(function).beside_floats != BesideFloats::in_double) {
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
    if (number.error > 0.0 && result == CellType::f32) {
        number.error += most_float_units * unit_in_last_place(CellType::f32, number.value);
    }
    return number;
}

}  // namespace tenrex::reference
