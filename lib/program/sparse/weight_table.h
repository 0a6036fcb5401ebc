// The weights of labels, looked up without a branch.
#pragma once

#include <cstddef>

#include <tenrex/label.h>

#include "lib/program/sparse/label_places.h"

namespace tenrex::program {

// LabelPlaces whose contents are numbers of type double.
class WeightTable {
public:
    // False if the labels cannot be laid out: then the table must not be used. The weights are cells of type Cell,
    // float or double, that need not be aligned.
    template <class Cell>
    bool build(const Label *labels, const std::byte *weights, std::size_t count);

    // The sum of weight * cell over the labels that the table has.
    template <class Cell>
    double dot(const Label *labels, const std::byte *cells, std::size_t count) const noexcept;

    std::size_t memory_bytes() const noexcept { return places_.memory_bytes(); }

    void count_in(MemoryBudget &budget) noexcept { places_.count_in(budget); }
    void release() noexcept { places_.release(); }

private:
    LabelPlaces places_;
};

}  // namespace tenrex::program
