// nativeRank and its parts: how early and how often the words of a query stand in fields, and how close together. The
// formulas are those of Vespa's reference, with its default tables and weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tenrex::tool {

// How much a word tells that so many of the documents have: 1 at most, 0.5 if all have it.
double significance_of(std::size_t having, std::size_t documents);

// What a query finds in one field of a document.
struct FieldPlaces {
    std::vector<std::vector<std::uint32_t>> places;  // of each word of the query, ascending
    std::size_t length = 0;                          // of the field, in words
};

// significances: of the words of the query. All three are between 0 and 1.
double native_field_match(std::span<const double> significances, std::span<const FieldPlaces> fields);
double native_proximity(std::span<const double> significances, std::span<const FieldPlaces> fields);
double native_rank(double field_match, double proximity);

}  // namespace tenrex::tool
