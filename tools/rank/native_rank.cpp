#include "tools/rank/native_rank.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenrex::tool {

namespace {

constexpr std::size_t table_size = 256;
using Table = std::array<double, table_size>;

// weight * exp(-x / scale), as a share of what both tables of a feature have at most.
Table decay(double weight, double scale, double most) {
    Table table{};
    for (std::size_t x = 0; x < table_size; ++x) {
        table[x] = weight * std::exp(-static_cast<double>(x) / scale) / most;
    }
    return table;
}

double growth_at(std::size_t x) {
    return 1500 * std::log(1 + static_cast<double>(x) / 19) + 4000;
}

// The two tables of nativeFieldMatch count the same.
struct MatchTables {
    Table first = decay(8000, 12.5, 8000 + growth_at(table_size - 1));
    Table count{};
    MatchTables() {
        for (std::size_t x = 0; x < table_size; ++x) {
            count[x] = growth_at(x) / (8000 + growth_at(table_size - 1));
        }
    }
};

// The least distance from a place of one word to a later place of another; 0 if there is none.
std::size_t distance_between(const std::vector<std::uint32_t> &from, const std::vector<std::uint32_t> &to) {
    std::size_t least = 0;
    for (std::size_t a = 0, b = 0; a < from.size() && b < to.size();) {
        if (from[a] >= to[b]) {
            ++b;
            continue;
        }
        const std::size_t between = to[b] - from[a];
        least = least == 0 ? between : std::min(least, between);
        ++a;
    }
    return least;
}

double at_distance(const Table &table, std::size_t distance) {
    return table[distance == 0 ? table_size - 1 : std::min(distance, table_size) - 1];
}

// Pairs of words that are further apart in the query are not looked at.
constexpr std::size_t window = 4;

}  // namespace

double significance_of(std::size_t having, std::size_t documents) {
    if (documents == 0) {
        return 0.5;
    }
    constexpr double scale = 1000000;
    const double frequency =
        std::clamp(static_cast<double>(having) * scale / static_cast<double>(documents), 1.0, scale);
    return 0.5 + 0.5 * (std::log(scale) - std::log(frequency)) / std::log(scale);
}

double native_field_match(std::span<const double> significances, std::span<const FieldPlaces> fields) {
    static const MatchTables tables;
    constexpr std::size_t least_length = 6;
    double score = 0;
    double most = 0;
    for (std::size_t word = 0; word < significances.size(); ++word) {
        most += significances[word] * static_cast<double>(fields.size());
        for (const FieldPlaces &field : fields) {
            const std::vector<std::uint32_t> &places = field.places[word];
            if (!places.empty()) {
                const std::size_t length = std::max(least_length, field.length);
                score += significances[word] * (tables.first[places.front() * (table_size - 1) / (length - 1)] +
                                                tables.count[places.size() * (table_size - 1) / length]);
            }
        }
    }
    return most > 0 ? score / most : 0;
}

double native_proximity(std::span<const double> significances, std::span<const FieldPlaces> fields) {
    static const Table forward = decay(500, 3, 900);
    static const Table reverse = decay(400, 3, 900);
    double score = 0;
    double most = 0;
    for (std::size_t a = 0; a < significances.size(); ++a) {
        for (std::size_t b = a + 1; b < std::min(a + window, significances.size()); ++b) {
            const double weight = (significances[a] + significances[b]) / static_cast<double>(b - a);
            most += weight * static_cast<double>(fields.size());
            for (const FieldPlaces &field : fields) {
                score += weight * (at_distance(forward, distance_between(field.places[a], field.places[b])) +
                                   at_distance(reverse, distance_between(field.places[b], field.places[a])));
            }
        }
    }
    return most > 0 ? score / most : 0;
}

double native_rank(double field_match, double proximity) {
    // Words of attributes, which count 100 there, are not searched.
    return (100 * field_match + 25 * proximity) / 225;
}

}  // namespace tenrex::tool
