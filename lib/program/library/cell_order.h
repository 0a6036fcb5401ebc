// The order of cells: NaN come last; equal cells are in the order of their addresses, then of their indexes.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "lib/program/sparse/address_table.h"
#include "lib/program/value.h"

namespace tenrex::program {

// Whether an address comes before another, by the texts of the labels at some positions.
class AddressOrder {
public:
    AddressOrder(const LabelTexts &texts, const Label *labels, std::size_t width, Positions positions,
                 bool by_number = false) noexcept
        : texts_(texts), labels_(labels), width_(width), positions_(positions), by_number_(by_number) {}
    bool operator()(std::uint32_t a, std::uint32_t b) const noexcept {
        for (const std::uint16_t position : positions_) {
            const Label x = labels_[a * width_ + position];
            const Label y = labels_[b * width_ + position];
            if (x != y) {
                return by_number_ ? x < y : texts_.compare(x, y) < 0;
            }
        }
        return false;
    }

private:
    const LabelTexts &texts_;
    const Label *labels_;
    std::size_t width_;
    Positions positions_;
    bool by_number_;
};

enum class Order : std::uint8_t { before, equal, after };

// Labels are compared only where this leaves it open: their texts take much longer.
template <class Cell>
Order order_of(Cell a, Cell b, bool ascending) noexcept {
    if (a < b) {
        return ascending ? Order::before : Order::after;
    }
    if (b < a) {
        return ascending ? Order::after : Order::before;
    }
    const bool a_is_nan = std::isnan(a), b_is_nan = std::isnan(b);
    return a_is_nan == b_is_nan ? Order::equal : (b_is_nan ? Order::before : Order::after);
}

// The same as a whole number: the less it is, the earlier the cell comes; equal ones have the same.
inline std::uint64_t key_of(double cell, bool ascending) noexcept {
    if (std::isnan(cell)) {
        return ~std::uint64_t{0};
    }
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const auto bits = std::bit_cast<std::uint64_t>(cell + 0.0);  // both zeros are one
    const std::uint64_t rising = (bits & sign) != 0 ? ~bits : bits | sign;
    return ascending ? rising : ~rising;
}

}  // namespace tenrex::program
