#include "lib/program/sparse/weight_table.h"

#include <bit>
#include <cstdint>

#include "lib/program/cell.h"
#include "lib/program/pair.h"

namespace tenrex::program {

template <class Cell>
bool WeightTable::build(const Label *labels, const std::byte *weights, std::size_t count) {
    if (!places_.build(labels, count)) {
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        places_.of(labels[i]).content = std::bit_cast<std::uint64_t>(load_cell<Cell>(weights, i));
    }
    return true;
}

template <class Cell>
double WeightTable::dot(const Label *labels, const std::byte *cells, std::size_t count) const noexcept {
    // Two labels at a time. The product is masked, not a factor: 0 times infinity would be no 0.
    const auto products = [&](std::size_t i) {
        const Pair<std::uint64_t> own = load_pair<std::uint64_t>(reinterpret_cast<const std::byte *>(labels + i));
        const LabelPlaces::Slot &a = places_.of(labels[i]);
        const LabelPlaces::Slot &b = places_.of(labels[i + 1]);
        const Pair<std::uint64_t> first = load_pair<std::uint64_t>(reinterpret_cast<const std::byte *>(&a));
        const Pair<std::uint64_t> second = load_pair<std::uint64_t>(reinterpret_cast<const std::byte *>(&b));
        const auto weights = std::bit_cast<Pair<double>>(__builtin_shufflevector(first, second, 1, 3));
        const Pair<double> numbers = weights * load_cells<Cell>(cells + i * sizeof(Cell));
        const Pair<std::uint64_t> found = equal(__builtin_shufflevector(first, second, 0, 2), own);
        return masked(numbers, found);
    };
    Pair<double> even{};
    Pair<double> odd{};
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        even += products(i);
        odd += products(i + 2);
    }
    if (i + 2 <= count) {
        even += products(i);
        i += 2;
    }
    double last = 0;
    if (i < count) {
        const LabelPlaces::Slot &slot = places_.of(labels[i]);
        last = slot.holds(labels[i]) ? std::bit_cast<double>(slot.content) * load_cell<Cell>(cells, i) : 0;
    }
    return (even[0] + even[1]) + (odd[0] + odd[1]) + last;
}

template bool WeightTable::build<float>(const Label *, const std::byte *, std::size_t);
template bool WeightTable::build<double>(const Label *, const std::byte *, std::size_t);
template double WeightTable::dot<float>(const Label *, const std::byte *, std::size_t) const noexcept;
template double WeightTable::dot<double>(const Label *, const std::byte *, std::size_t) const noexcept;

}  // namespace tenrex::program
