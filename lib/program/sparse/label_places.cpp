#include "lib/program/sparse/label_places.h"

#include <algorithm>
#include <bit>

namespace tenrex::program {

namespace {

// Neither a number below 2^63 nor an id of a table.
constexpr Label no_label{~std::uint64_t{0}};

}  // namespace

bool LabelPlaces::place_all(const Label *labels, std::size_t count) noexcept {
    const std::size_t slots = std::size_t{1} << (64 - shift_);
    std::fill_n(slots_.data(), slots, Slot{static_cast<std::uint64_t>(no_label), 0});
    for (std::size_t i = 0; i < count; ++i) {
        Slot &slot = of(labels[i]);
        if (!slot.holds(no_label)) {
            return false;
        }
        slot = {static_cast<std::uint64_t>(labels[i]), i};
    }
    return true;
}

bool LabelPlaces::build(const Label *labels, std::size_t count) {
    if (count > most_labels) {
        return false;
    }
    const auto set_slots = [&](std::size_t slots) {
        slots_.room(slots);
        shift_ = static_cast<unsigned>(64 - std::countr_zero(slots));
    };
    // Numbers in a row, such as ids often are, differ in their last bits: then the table is small, and what lies side
    // by side is read one after the other.
    const std::size_t fewest = std::bit_ceil(std::max<std::size_t>(count, 2));
    for (std::size_t slots = fewest; slots <= 4 * fewest; slots *= 2) {
        set_slots(slots);
        multiplier_ = std::uint64_t{1} << shift_;
        if (place_all(labels, count)) {
            return true;
        }
    }
    // Labels without order need more room and some luck.
    constexpr unsigned tries = 16;
    constexpr std::size_t largest = std::size_t{1} << 15;
    for (std::size_t slots = std::bit_ceil(count * 4 + 2); slots <= std::max(largest, 8 * count); slots *= 4) {
        set_slots(slots);
        multiplier_ = 0x9e3779b97f4a7c15;
        for (unsigned i = 0; i < tries; ++i) {
            if (place_all(labels, count)) {
                return true;
            }
            multiplier_ = multiplier_ * 6364136223846793005 + 1442695040888963407;
            multiplier_ |= 1;
        }
    }
    return false;
}

}  // namespace tenrex::program
