#include "optimizer/function_ranges.h"

#include "lib/support/function_facts.h"

namespace tenrex::optimizer {

namespace {

// The least and the largest of what the ends of both give; 0 times infinity is as good as 0 there.
template <class Combine>
Range of_ends(Range a, Range b, const Combine &combine) {
    Range result{infinity, -infinity, a.may_be_nan || b.may_be_nan};
    for (const double x : {a.low, a.high}) {
        for (const double y : {b.low, b.high}) {
            const double end = combine(x, y);
            result.low = std::min(result.low, std::isnan(end) ? 0 : end);
            result.high = std::max(result.high, std::isnan(end) ? 0 : end);
        }
    }
    const bool no_sign = a.is_never_negative() && b.is_never_negative();
    if (result.low == 0) {
        result.low = no_sign ? 0.0 : -0.0;
    }
    return result;
}

// A NaN among the two gives the first.
Range extreme(Range a, Range b, bool largest) {
    Range result = either(a, b);
    result.may_be_nan = a.may_be_nan;
    if (a.may_be_nan || b.may_be_nan) {
        return result;
    }
    if (largest) {
        const double low = std::max(a.low, b.low);
        result.low = low == 0 && !(a.is_never_negative() && b.is_never_negative()) ? -0.0 : low;
    } else {
        result.high = std::min(a.high, b.high);
    }
    return result;
}

// The rules that functions.def names in the column `range`.
namespace range_rule {

Range anything(Range, Range) {
    return {};
}
Range truth(Range, Range) {
    return numbers(0, 1);
}
Range bit(Range, Range) {
    return numbers(0, 1);
}
Range bits_of_byte(Range, Range) {
    return numbers(0, 8);
}
Range within_two(Range a, Range) {
    return {-2, 2, a.may_be_nan};
}
Range up_to_two(Range a, Range) {
    return {0, 2, a.may_be_nan};
}
Range positive(Range a, Range) {
    return {0, infinity, a.may_be_nan};
}

Range negated(Range a, Range) {
    return {a.high == 0 ? -0.0 : -a.high, -a.low, a.may_be_nan};
}
// infinity - infinity is the only sum that is NaN but for those of NaN.
Range sum(Range a, Range b) {
    const bool clash = (a.may_be(infinity) && b.may_be(-infinity)) || (a.may_be(-infinity) && b.may_be(infinity));
    const double low = a.low + b.low;
    const double high = a.high + b.high;
    return {std::isnan(low) ? -infinity : low, std::isnan(high) ? infinity : high,
            a.may_be_nan || b.may_be_nan || clash};
}
Range difference(Range a, Range b) {
    return sum(a, negated(b, b));
}
Range product(Range a, Range b) {
    Range result = of_ends(a, b, [](double x, double y) { return x * y; });
    result.may_be_nan |= (a.may_be(0) && b.may_be_infinite()) || (b.may_be(0) && a.may_be_infinite());
    return result;
}
Range quotient(Range a, Range b) {
    const bool clash = (a.may_be_infinite() && b.may_be_infinite()) || (a.may_be(0) && b.may_be(0));
    const bool nan = a.may_be_nan || b.may_be_nan || clash;
    if (!b.may_be(0)) {
        Range result = of_ends(a, b, [](double x, double y) { return x / y; });
        result.may_be_nan = nan;
        return result;
    }
    return {a.is_never_negative() && b.is_never_negative() ? 0 : -infinity, infinity, nan};
}
Range larger(Range a, Range b) {
    return extreme(a, b, true);
}
Range smaller(Range a, Range b) {
    return extreme(a, b, false);
}

Range magnitude(Range a, Range) {
    if (a.low >= 0) {
        return {std::fabs(a.low), a.high, a.may_be_nan};
    }
    return {std::max(0.0, -a.high), std::max(-a.low, a.high), a.may_be_nan};
}
Range square(Range a, Range b) {
    const Range size = magnitude(a, b);
    return {size.low * size.low, size.high * size.high, a.may_be_nan};
}
Range root(Range a, Range) {
    return {a.is_never_negative() ? std::sqrt(a.low) : -0.0, std::sqrt(std::max(a.high, 0.0)),
            a.may_be_nan || a.low < 0};
}
Range rectified(Range a, Range) {
    return {a.low < 0 ? -0.0 : a.low, std::max(a.high, 0.0), a.may_be_nan};
}
Range linear_unit(Range a, Range) {
    return {a.is_never_negative() ? a.low : -2, std::max(a.high, 0.0), a.may_be_nan};
}
Range rounded_down(Range a, Range) {
    return {std::floor(a.low), a.high, a.may_be_nan};
}
Range rounded_up(Range a, Range) {
    return {a.is_never_negative() ? a.low : std::min(a.low, -0.0), std::ceil(a.high), a.may_be_nan};
}

}  // namespace range_rule

using RangeRule = Range(Range, Range);
constexpr RangeRule *range_rules[] = {
#define TENREX_FACTS(id, range, order, in_float, scalar, change, reference, floats, doubles, operations) \
    range_rule::range,
#include "lib/support/functions.def"
};

RangeRule *rule_of(ScalarFunction function) {
    return range_rules[static_cast<std::size_t>(function)];
}

}  // namespace

Range range_of(ScalarFunction function, Range a, Range b) noexcept {
    return rule_of(function)(a, b);
}

bool gives_truth(ScalarFunction function) noexcept {
    return rule_of(function) == range_rule::truth;
}

}  // namespace tenrex::optimizer
