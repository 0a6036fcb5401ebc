// How far apart two vectors are: what schemas of documents and indexes of vectors name.
#pragma once

#include <cstdint>

namespace tenrex {

enum class DistanceMetric : std::uint8_t {
    euclidean,              // the square root of the sum of squared differences
    angular,                // the angle between them
    prenormalized_angular,  // 1 minus the cosine, of vectors that all have the same length
    dotproduct,             // minus their product
    hamming,                // bits that differ
    geodegrees              // kilometers on the ground between two places: latitude and longitude in degrees
};

}  // namespace tenrex
