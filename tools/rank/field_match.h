// fieldMatch and its outputs: how well the words of a query match those of a field. Vespa's reference calls the
// algorithm string segment match; its parameters have the values that an engine takes if a profile says nothing else.
//
// Words of the query that follow each other are looked for near each other in the field: such places are a segment.
// What counts is the choice of segments that covers the query with few of them whose words stand close together.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "tools/rank/native_rank.h"

namespace tenrex::tool {

class FieldMatch {
public:
    // significances: of the words of the query. No word of it in the field: all outputs are 0.
    FieldMatch(std::span<const double> significances, const FieldPlaces &field);

    // The number of an output, such as "proximity"; "" is that of fieldMatch(field) itself. None: there is no such
    // output.
    static std::optional<std::size_t> output(std::string_view name);
    double value(std::size_t output) const;

private:
    struct Row;
    static const Row rows[];

    double completeness() const;
    double relatedness() const;
    double earliness() const;
    double segment_proximity() const;
    double match() const;
    void count_occurrences(std::span<const double> significances, const FieldPlaces &field);

    double words_ = 0;   // of the query
    double length_ = 0;  // of the field
    double matches_ = 0, segments_ = 0, gaps_ = 0, gap_length_ = 0, out_of_order_ = 0, longest_sequence_ = 0;
    double head_ = 0, tail_ = 0, segment_distance_ = 0;
    double pairs_ = 0;
    double proximity_ = 0;  // the average over pairs
    double weight_ = 0, significance_ = 0;
    double occurrence_ = 0, absolute_occurrence_ = 0, weighted_occurrence_ = 0, significant_occurrence_ = 0;
};

}  // namespace tenrex::tool
