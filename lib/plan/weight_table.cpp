#include "lib/plan/weight_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tenrex::plan {

namespace {

// No label: neither a number below 2^63 nor an id of a table.
constexpr std::uint64_t no_label = ~std::uint64_t{0};

template <class Cell>
double load(const std::byte *cells, std::size_t i) noexcept {
    Cell cell;
    std::memcpy(&cell, cells + i * sizeof(Cell), sizeof(Cell));
    return static_cast<double>(cell);
}

}  // namespace

bool WeightTable::place_all(const Label *labels, std::size_t count) noexcept {
    const std::size_t slots = std::size_t{1} << (64 - shift_);
    std::fill_n(slots_.data(), slots, Slot{no_label, 0});
    for (std::size_t i = 0; i < count; ++i) {
        const auto label = static_cast<std::uint64_t>(labels[i]);
        Slot &slot = slots_.data()[place(label)];
        if (slot.label != no_label) {
            return false;
        }
        slot.label = label;
    }
    return true;
}

template <class Cell>
bool WeightTable::build(const Label *labels, const std::byte *weights, std::size_t count) {
    if (count > most_labels) {
        return false;
    }
    // Numbers in a row fit a small table with the first multiplier; labels without order need more room and some luck.
    constexpr unsigned tries = 16;
    constexpr std::size_t largest = std::size_t{1} << 15;
    for (std::size_t slots = std::bit_ceil(count * 4 + 2); slots <= std::max(largest, 8 * count); slots *= 4) {
        slots_.room(slots);
        shift_ = static_cast<unsigned>(64 - std::countr_zero(slots));
        multiplier_ = 0x9e3779b97f4a7c15;
        for (unsigned i = 0; i < tries; ++i) {
            if (place_all(labels, count)) {
                for (std::size_t k = 0; k < count; ++k) {
                    slots_.data()[place(static_cast<std::uint64_t>(labels[k]))].weight = load<Cell>(weights, k);
                }
                return true;
            }
            multiplier_ = multiplier_ * 6364136223846793005 + 1442695040888963407;
            multiplier_ |= 1;
        }
    }
    return false;
}

template <class Cell>
double WeightTable::dot(const Label *labels, const std::byte *cells, std::size_t count) const noexcept {
    const Slot *const slots = slots_.data();
    const auto product = [&](std::size_t i) {
        const auto label = static_cast<std::uint64_t>(labels[i]);
        const Slot &slot = slots[place(label)];
        // The product is masked, not a factor: 0 times infinity would be no 0.
        const double number = slot.weight * load<Cell>(cells, i);
        const std::uint64_t mask = slot.label == label ? ~std::uint64_t{0} : 0;
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) & mask);
    };
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
            sums[lane] += product(i + lane);
        }
    }
    for (; i < count; ++i) {
        sums[i % 4] += product(i);
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template bool WeightTable::build<float>(const Label *, const std::byte *, std::size_t);
template bool WeightTable::build<double>(const Label *, const std::byte *, std::size_t);
template double WeightTable::dot<float>(const Label *, const std::byte *, std::size_t) const noexcept;
template double WeightTable::dot<double>(const Label *, const std::byte *, std::size_t) const noexcept;

}  // namespace tenrex::plan
