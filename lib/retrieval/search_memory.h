// What a search writes on its way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenrex/nearest_neighbors.h>

#include "lib/retrieval/beam.h"

namespace tenrex {

struct SearchMemory::Content {
    // Marks of the nodes that were seen: those that are equal to `mark`.
    std::vector<std::uint8_t> marks;
    std::uint8_t mark = 0;
    retrieval::Beam beam;
    std::vector<std::uint32_t> numbers;
    std::vector<float> keys;
    std::vector<float> vector;
    std::vector<std::byte> cells;
    std::vector<std::byte> cells_of_floats;
    std::vector<retrieval::Found> found;

    // No node is seen.
    void begin(std::size_t nodes) {
        if (marks.size() < nodes || ++mark == 0) {
            marks.assign(marks.size() < nodes ? nodes : marks.size(), 0);
            mark = 1;
        }
    }
};

}  // namespace tenrex
