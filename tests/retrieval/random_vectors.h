// Vectors around some centres, as the texts of some subjects have, and the nearest of them in the most direct way.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <tenrex/nearest_neighbors.h>

namespace tenrex::retrieval {

inline std::vector<std::vector<float>> random_vectors(std::size_t count, std::size_t dimensions, std::uint32_t seed) {
    std::mt19937 shared(17);
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<std::vector<float>> centres(20, std::vector<float>(dimensions));
    for (std::vector<float> &centre : centres) {
        std::generate(centre.begin(), centre.end(), [&] { return normal(shared); });
    }
    std::vector<std::vector<float>> vectors(count);
    for (std::vector<float> &vector : vectors) {
        vector = centres[random() % centres.size()];
        for (float &value : vector) {
            value += normal(random);
        }
    }
    return vectors;
}

inline std::vector<std::vector<std::int8_t>> random_bytes(std::size_t count, std::size_t length, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::vector<std::int8_t>> vectors(count, std::vector<std::int8_t>(length));
    for (std::vector<std::int8_t> &vector : vectors) {
        std::generate(vector.begin(), vector.end(), [&] { return static_cast<std::int8_t>(random()); });
    }
    return vectors;
}

// By the definition of the metric.
template <class T>
double true_distance(DistanceMetric metric, const std::vector<T> &query, const std::vector<T> &vector) {
    double product = 0, query_square = 0, vector_square = 0, difference = 0;
    int bits = 0;
    for (std::size_t i = 0; i < query.size(); ++i) {
        const auto x = static_cast<double>(query[i]);
        const auto y = static_cast<double>(vector[i]);
        product += x * y;
        query_square += x * x;
        vector_square += y * y;
        difference += (x - y) * (x - y);
        if constexpr (sizeof(T) == 1) {
            bits += std::popcount(static_cast<std::uint8_t>(query[i] ^ vector[i]));
        }
    }
    switch (metric) {
        case DistanceMetric::euclidean:
            return std::sqrt(difference);
        case DistanceMetric::angular:
            return std::acos(std::clamp(product / std::sqrt(query_square * vector_square), -1.0, 1.0));
        case DistanceMetric::prenormalized_angular:
            return 1 - std::clamp(product / query_square, -1.0, 1.0);
        case DistanceMetric::dotproduct:
            return -product;
        case DistanceMetric::hamming:
        case DistanceMetric::geodegrees:
            break;
    }
    return bits;
}

template <class T>
std::vector<Neighbor> true_neighbors(DistanceMetric metric, const std::vector<std::vector<T>> &vectors,
                                     const std::vector<T> &query, std::size_t count,
                                     const std::function<bool(std::uint32_t)> &may = {}) {
    std::vector<Neighbor> all;
    for (std::uint32_t id = 0; id < vectors.size(); ++id) {
        if (!may || may(id)) {
            all.push_back({id, true_distance(metric, query, vectors[id])});
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Neighbor &x, const Neighbor &y) { return x.distance < y.distance; });
    all.resize(std::min(all.size(), count));
    return all;
}

// Without the hint.
inline std::string message_of(const Error &error) {
    return error.issues().front().message;
}

// How many of the one are among the other, as a share.
inline double recall(const std::vector<Neighbor> &found, const std::vector<Neighbor> &exact) {
    std::size_t hits = 0;
    for (const Neighbor &each : exact) {
        hits += static_cast<std::size_t>(
            std::count_if(found.begin(), found.end(), [&](const Neighbor &other) { return other.id == each.id; }));
    }
    return exact.empty() ? 1 : static_cast<double>(hits) / static_cast<double>(exact.size());
}

}  // namespace tenrex::retrieval
