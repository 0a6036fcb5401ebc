// The places of a field that the words of a query are matched with: segments of words that stand near each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tools/rank/native_rank.h"

namespace tenrex::tool {

struct Segmentation {
    std::uint32_t out_of_order = 0;  // pairs within segments whose second word stands first
    std::uint32_t gaps = 0;          // pairs within segments that are no sequence, in query or field
    std::uint32_t gap_length = 0;
    std::uint32_t longest_sequence = 1;
    std::uint32_t pairs = 0;             // within segments
    double proximity = 0;                // the sum over pairs
    std::vector<std::uint32_t> matched;  // words of the query
    std::vector<std::uint32_t> starts;   // of segments
    std::int64_t first = -1;             // place of a match, -1: none
    std::int64_t last = -1;
    std::uint32_t sequence = 0;  // words of the present one

    double mean_proximity() const { return pairs == 0 ? 1 : proximity / pairs; }
};

// The best one that is found of a field that has a word of the query.
Segmentation best_segmentation(const FieldPlaces &field);

}  // namespace tenrex::tool
