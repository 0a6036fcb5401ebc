#include "lib/reference/aggregate_rounding.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tenrex::reference {

namespace {

constexpr double largest_float = 0x1p128 - 0x1p104;

// The magnitude of the lowest bit that is set in a finite number that is not 0.
double lowest_bit(double value) noexcept {
    constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
    const auto bits = std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63);
    if ((bits & fraction) != 0 || bits <= fraction) {
        // What is left without the lowest bit is exact, and so is the difference.
        return std::bit_cast<double>(bits) - std::bit_cast<double>(bits & (bits - 1));
    }
    return std::bit_cast<double>(bits);
}

}  // namespace

Origin combined(const Origin &a, const Origin &b) noexcept {
    Origin result;
    result.inexact = a.inexact || b.inexact;
    result.inexact_in_float = a.inexact_in_float || b.inexact_in_float;
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

void SumError::add(Number cell) noexcept {
    count_ += 1.0;
    errors_ += cell.error;
    if (!std::isfinite(cell.value)) {
        special_ = true;
    } else if (cell.value != 0.0) {
        magnitudes_ += std::fabs(cell.value);
        grid_ = std::min(grid_, lowest_bit(cell.value));
    }
}

double SumError::of(double result, const Origin &from, CellType type) const noexcept {
    const bool in_double = type == CellType::f64 || !from.computed;
    const double unit = in_double ? 0x1p-53 : 0x1p-24;
    const double most = type == CellType::f64 ? std::numeric_limits<double>::max() : largest_float;
    const double terms = count_ * from.terms;
    const bool may_be_regrouped = from.factors >= 3.0 && from.largest * terms > most;
    if (!(errors_ < undetermined) || may_be_regrouped || (from.computed && from.overflowed && special_)) {
        return undetermined;
    }
    // Of sums of sums the inner ones may take part in the outer one.
    const double regrouped = from.terms > 1.0 ? additions(terms) / additions(from.terms) : 1.0;
    const double magnitudes = magnitudes_ + errors_ * regrouped;
    const double own = additions(terms) + 4.0;  // some roundings before, of factors and of parts
    if (!(magnitudes * (1.0 + own * unit) < (in_double ? std::numeric_limits<double>::max() : most))) {
        return undetermined;
    }
    if (special_) {
        return 0.0;  // an infinity or NaN, in any order
    }
    // Sums of sums may be one, which is rounded once.
    const double merged = from.inexact && from.terms > 1.0 && type != CellType::f64 ? 0x1p-24 : 0.0;
    // Of products in double that hold products in float those may be added up before they are rounded.
    const double skipped = from.inexact_in_float && from.computed && in_double ? 0x1p-24 : 0.0;
    if (errors_ == 0.0 && merged == 0.0 && !(from.inexact && from.computed) &&
        (magnitudes == 0.0 || magnitudes * unit < grid_)) {
        return 0.0;
    }
    const double smallest = in_double ? 0x1p-1074 : 0x1p-149;
    const double vanished = from.factors >= 3.0 ? from.largest : 1.0;  // what becomes of products that are 0
    const double roundings = own * unit + count_ * 0x1p-53 + merged + skipped;
    return errors_ * regrouped + roundings * magnitudes + terms * smallest * vanished +
           unit_in_last_place(CellType::f64, result);
}

void ProductError::add(Number cell) noexcept {
    count_ += 1.0;
    errors_ += cell.error;
    if (!std::isfinite(cell.value)) {
        special_ = true;
        return;
    }
    const double magnitude = std::fabs(cell.value);
    furthest_ *= magnitude + cell.error;
    product_ *= magnitude;
    vague_zero_ |= reaches_zero(cell);
    up_ *= std::max(1.0, magnitude + cell.error);
    if (magnitude == 0.0) {
        zero_ = true;
    } else {
        odd_ *= magnitude / lowest_bit(magnitude);
        down_ *= std::min(1.0, std::max(magnitude - cell.error, 0.0));
    }
}

double ProductError::of(double result, const Origin &from, CellType) const noexcept {
    if (!(errors_ < undetermined) || !(up_ < std::numeric_limits<double>::max()) ||
        (from.computed && from.overflowed && special_)) {
        return undetermined;
    }
    const bool may_vanish = down_ < 0x1p-1022;
    if (special_) {
        return vague_zero_ || may_vanish ? undetermined : 0.0;
    }
    const bool rounds = from.computed && from.inexact;
    if (errors_ == 0.0 && ((odd_ < 0x1p53 && !may_vanish && !rounds) || (zero_ && result == 0.0))) {
        return 0.0;
    }
    const double unit = rounds ? 4.0 * 0x1p-24 : 2.0 * 0x1p-53;
    return (furthest_ - product_) + count_ * unit * furthest_ + (may_vanish ? up_ * count_ * 0x1p-1022 : 0.0);
}

void MedianError::add(Number cell) {
    vague_ |= cell.error == undetermined;
    lows_.push_back(cell.value - cell.error);
    highs_.push_back(cell.value + cell.error);
}

double MedianError::of(double result, const std::function<double(std::vector<double>)> &median) const {
    if (vague_) {
        return undetermined;
    }
    const double error = std::max(distance(median(lows_), result), distance(median(highs_), result));
    const bool may_be_both = result == 0.0 && std::count(lows_.begin(), lows_.end(), 0.0) > 1;
    return may_be_both ? std::max(error, unknown_sign) : error;
}

void ExtremeError::add(Number cell) noexcept {
    count_ += 1.0;
    vague_ |= cell.error == undetermined;
    special_ |= !std::isfinite(cell.value);
    if (cell.value == 0.0) {
        zeros_[std::signbit(cell.value)] = true;
    }
    const auto keep = [&](double &best, double number) {
        if (std::isnan(best) || (largest_ ? number > best : number < best)) {
            best = number;
        }
    };
    keep(low_, cell.value - cell.error);
    keep(high_, cell.value + cell.error);
}

double ExtremeError::of(double result, const Origin &from, CellType) const noexcept {
    if (vague_ || (special_ && from.computed && from.overflowed)) {
        return undetermined;
    }
    double error = std::max(distance(low_, result), distance(high_, result));
    if (from.computed && from.inexact) {
        error += 4.0 * unit_in_last_place(CellType::f32, result);
    }
    return result == 0.0 && zeros_[0] && zeros_[1] ? std::max(error, unknown_sign) : error;
}

}  // namespace tenrex::reference
