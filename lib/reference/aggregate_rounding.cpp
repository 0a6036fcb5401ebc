#include "lib/reference/aggregate_rounding.h"

#include <algorithm>
#include <bit>

namespace tenrex::reference {

namespace {

// The exponent of the lowest bit that is set.
int lowest_bit(double value) noexcept {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const auto whole = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(whole));
}

}  // namespace

Origin combined(const Origin &a, const Origin &b) noexcept {
    Origin result;
    result.inexact = a.inexact || b.inexact;
    result.overflowed = a.overflowed || b.overflowed;
    result.computed = a.computed || b.computed;
    result.of_int8 = a.of_int8 && b.of_int8;
    result.addresses_known = a.addresses_known && b.addresses_known;
    result.factors = std::max(a.factors, b.factors);
    result.terms = std::max(a.terms, b.terms);
    result.largest = a.largest == 0.0 || b.largest == 0.0 ? 0.0 : std::max(a.largest, b.largest);
    return result;
}

double additions(double count) noexcept {
    // The larger of what docs/dispatch.md says of rows and of products of matrices.
    return std::max(count / 8.0 + 10.0, std::min(count, 256.0) + count / 256.0 + 2.0);
}

void AggregateError::add(Number cell) noexcept {
    const auto keep = [](double &best, double number, bool larger) {
        if (std::isnan(best) || (larger ? number > best : number < best)) {
            best = number;
        }
    };
    const double high = cell.value + cell.error;
    const double low = cell.value - cell.error;
    keep(high_of_highs_, high, true);
    keep(high_of_lows_, low, true);
    keep(low_of_highs_, high, false);
    keep(low_of_lows_, low, false);
    ++count_;
    errors_ += cell.error;
    if (!std::isfinite(cell.value)) {
        special_ = true;
        return;
    }
    const double magnitude = std::fabs(cell.value);
    magnitudes_ += magnitude;
    furthest_ *= magnitude + cell.error;
    product_ *= magnitude;
    if (reaches_zero(cell)) {
        vague_zero_ = true;
    }
    if (magnitude == 0.0) {
        zeros_[std::signbit(cell.value)] = true;
        return;
    }
    const int lowest = lowest_bit(magnitude);
    lowest_bit_ = std::min(lowest_bit_, lowest);
    odd_ *= std::ldexp(magnitude, -lowest);
    (magnitude < 1.0 ? down_ : up_) *= magnitude < 1.0 ? std::max(magnitude - cell.error, 0.0) : magnitude + cell.error;
}

double AggregateError::of_sum(double result, const Origin &from, CellType cells) const noexcept {
    const bool in_double = cells == CellType::f64 || !from.computed;
    const double unit = in_double ? 0x1p-53 : 0x1p-24;
    const double most = cells == CellType::f64 ? std::numeric_limits<double>::max() : 0x1p128 - 0x1p103;
    const double count = static_cast<double>(count_);
    const double terms = count * from.terms;
    if (errors_ == undetermined || std::isnan(errors_)) {
        return undetermined;
    }
    const bool may_be_regrouped = from.factors >= 3.0 && from.largest * terms > most;
    if (may_be_regrouped || (from.computed && from.overflowed && special_)) {
        return undetermined;
    }
    // Of sums of sums the inner ones may take part in the outer one.
    const double regrouped = from.terms > 1.0 ? additions(terms) / additions(from.terms) : 1.0;
    const double magnitudes = magnitudes_ + errors_ * regrouped;
    const double own = additions(terms) + 4.0;
    const double limit = in_double ? std::numeric_limits<double>::max() : most;
    if (!(magnitudes * (1.0 + own * unit) < limit)) {
        return undetermined;
    }
    if (special_) {
        return 0.0;  // an infinity or NaN, in any order
    }
    const int digits = in_double ? 53 : 24;
    const bool exact = errors_ == 0.0 && !(from.inexact && from.computed) &&
                       (magnitudes == 0.0 || magnitudes < std::ldexp(1.0, digits + lowest_bit_));
    if (exact) {
        return 0.0;
    }
    const double smallest = in_double ? 0x1p-1074 : 0x1p-149;
    const double vanished = from.factors >= 3.0 ? from.largest : 1.0;  // what becomes of products that are 0
    return errors_ * regrouped + (own * unit + count * 0x1p-53) * magnitudes + terms * smallest * vanished +
           unit_in_last_place(CellType::f64, result);
}

double AggregateError::of_product(double result) const noexcept {
    if (errors_ == undetermined || std::isnan(errors_) || !(up_ < std::numeric_limits<double>::max())) {
        return undetermined;
    }
    const bool may_vanish = down_ < 0x1p-1022;
    if (special_) {
        return vague_zero_ || may_vanish ? undetermined : 0.0;
    }
    if (errors_ == 0.0 && odd_ < 0x1p53 && !may_vanish) {
        return 0.0;
    }
    if (errors_ == 0.0 && result == 0.0 && (zeros_[0] || zeros_[1])) {
        return 0.0;
    }
    const double count = static_cast<double>(count_);
    return (furthest_ - product_) + 2.0 * count * 0x1p-53 * furthest_ + (may_vanish ? up_ * count * 0x1p-1022 : 0.0);
}

double AggregateError::of_extreme(double result, double low, double high, const Origin &from) const noexcept {
    if (errors_ == undetermined || std::isnan(errors_) || (special_ && from.computed && from.overflowed)) {
        return undetermined;
    }
    double error = std::max(distance(low, result), distance(high, result));
    if (from.computed && from.inexact) {
        error += 4.0 * unit_in_last_place(CellType::f32, result);
    }
    return result == 0.0 && zeros_[0] && zeros_[1] ? std::max(error, unknown_sign) : error;
}

double AggregateError::of_largest(double result, const Origin &from) const noexcept {
    return of_extreme(result, high_of_lows_, high_of_highs_, from);
}

double AggregateError::of_smallest(double result, const Origin &from) const noexcept {
    return of_extreme(result, low_of_lows_, low_of_highs_, from);
}

}  // namespace tenrex::reference
