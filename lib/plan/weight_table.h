// The weights of labels, looked up without a branch.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tenrex/label.h>

#include "lib/plan/growing.h"

namespace tenrex::plan {

// A hash table from labels to numbers in which no two labels share a place: a multiplier for which that is so is
// searched when it is built. Documents whose labels are looked up in it one by one cost the same whether they are found
// or not.
class WeightTable {
public:
    // False if there is no such multiplier: too many labels, or bad luck. Then the table must not be used. The weights
    // are cells of type Cell, float or double, that need not be aligned.
    template <class Cell>
    bool build(const Label *labels, const std::byte *weights, std::size_t count);

    // The sum of weight * cell over the labels that the table has.
    template <class Cell>
    double dot(const Label *labels, const std::byte *cells, std::size_t count) const noexcept;

    std::size_t memory_bytes() const noexcept { return slots_.memory_bytes(); }

private:
    struct Slot {
        std::uint64_t label;
        double weight;
    };
    static constexpr std::size_t most_labels = 4096;
    std::uint64_t place(std::uint64_t label) const noexcept { return (label * multiplier_) >> shift_; }
    bool place_all(const Label *labels, std::size_t count) noexcept;

    std::uint64_t multiplier_ = 1;
    unsigned shift_ = 63;
    Growing<Slot> slots_;
};

}  // namespace tenrex::plan
