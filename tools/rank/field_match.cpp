#include "tools/rank/field_match.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "tools/rank/segmentation.h"

namespace tenrex::tool {

// An output and what it is.
struct FieldMatch::Row {
    std::string_view name;
    double (*value)(const FieldMatch &);
};

namespace {

// More occurrences of a word count no more.
constexpr double most_occurrences = 100;

}  // namespace

FieldMatch::FieldMatch(std::span<const double> significances, const FieldPlaces &field)
    : words_(static_cast<double>(significances.size())), length_(static_cast<double>(field.length)) {
    if (std::ranges::all_of(field.places, [](const auto &places) { return places.empty(); })) {
        return;
    }
    Segmentation best = best_segmentation(field);
    matches_ = static_cast<double>(best.matched.size());
    segments_ = static_cast<double>(best.starts.size());
    gaps_ = best.gaps;
    gap_length_ = best.gap_length;
    out_of_order_ = best.out_of_order;
    longest_sequence_ = best.longest_sequence;
    head_ = static_cast<double>(best.first);
    tail_ = length_ - 1 - static_cast<double>(best.last);
    std::ranges::sort(best.starts);
    for (std::size_t i = 1; i < best.starts.size(); ++i) {
        segment_distance_ += best.starts[i] - best.starts[i - 1] + 1;
    }
    pairs_ = best.pairs;
    proximity_ = best.mean_proximity();
    double all = 0;
    for (const double significance : significances) {
        all += significance;
    }
    for (const std::uint32_t word : best.matched) {
        weight_ += 1 / words_;
        significance_ += all > 0 ? significances[word] / all : 0;
    }
    count_occurrences(significances, field);
}

// Each word counts once, though the query may have it several times.
void FieldMatch::count_occurrences(std::span<const double> significances, const FieldPlaces &field) {
    std::set<std::uint32_t> known;
    double sum = 0, significant_sum = 0, all_significance = 0;
    for (std::size_t word = 0; word < significances.size(); ++word) {
        const std::vector<std::uint32_t> &places = field.places[word];
        if (!places.empty() && known.insert(places.front()).second) {
            const double count = std::min(static_cast<double>(places.size()), most_occurrences);
            sum += count;
            significant_sum += count * significances[word];
            all_significance += significances[word];
        }
    }
    const auto words = static_cast<double>(known.size());
    const double most_of_word = std::min(length_, most_occurrences);
    occurrence_ = sum / std::min(length_, most_occurrences * words);
    absolute_occurrence_ = sum / (most_occurrences * words);
    weighted_occurrence_ = sum / (most_of_word * words);
    significant_occurrence_ = all_significance > 0 ? significant_sum / (most_of_word * all_significance) : 0;
}

double FieldMatch::completeness() const {
    constexpr double importance_of_field = 0.05;
    return matches_ / words_ * (1 - importance_of_field) + matches_ / length_ * importance_of_field;
}

double FieldMatch::relatedness() const {
    return matches_ == 1 ? 1 : 1 - (segments_ - 1) / (matches_ - 1);
}

double FieldMatch::earliness() const {
    constexpr double least_length = 6;
    return length_ == 1 ? 1 : 1 - head_ / (std::max(least_length, length_) - 1);
}

double FieldMatch::segment_proximity() const {
    return 1 - segment_distance_ / length_;
}

// Words in several segments lose up to nine tenths of what their proximity counts.
double FieldMatch::match() const {
    constexpr double importance_of_proximity = 0.9, importance_of_others = 0.05;
    const double related = 0.1 + 0.9 * relatedness();
    return (importance_of_proximity * related * proximity_ * completeness() * completeness() +
            importance_of_others * (earliness() + segment_proximity() + occurrence_)) /
           (importance_of_proximity + 3 * importance_of_others);
}

// Words have the weight 100 and pairs of them the connectedness 0.1 of a query that says nothing about them: so some
// outputs differ by a factor, or not at all.
const FieldMatch::Row FieldMatch::rows[] = {
    {"", [](const FieldMatch &match) { return match.match(); }},
    {"proximity", [](const FieldMatch &match) { return match.proximity_; }},
    {"unweightedProximity", [](const FieldMatch &match) { return match.proximity_; }},
    {"absoluteProximity", [](const FieldMatch &match) { return 0.1 * match.proximity_; }},
    {"completeness", [](const FieldMatch &match) { return match.completeness(); }},
    {"queryCompleteness", [](const FieldMatch &match) { return match.matches_ / match.words_; }},
    {"fieldCompleteness", [](const FieldMatch &match) { return match.matches_ / match.length_; }},
    {"orderness",
     [](const FieldMatch &match) { return match.pairs_ == 0 ? 1 : 1 - match.out_of_order_ / match.pairs_; }},
    {"relatedness", [](const FieldMatch &match) { return match.relatedness(); }},
    {"earliness", [](const FieldMatch &match) { return match.earliness(); }},
    {"longestSequenceRatio", [](const FieldMatch &match) { return match.longest_sequence_ / match.matches_; }},
    {"segmentProximity", [](const FieldMatch &match) { return match.segment_proximity(); }},
    {"occurrence", [](const FieldMatch &match) { return match.occurrence_; }},
    {"absoluteOccurrence", [](const FieldMatch &match) { return match.absolute_occurrence_; }},
    {"weightedOccurrence", [](const FieldMatch &match) { return match.weighted_occurrence_; }},
    {"weightedAbsoluteOccurrence", [](const FieldMatch &match) { return match.absolute_occurrence_; }},
    {"significantOccurrence", [](const FieldMatch &match) { return match.significant_occurrence_; }},
    {"weight", [](const FieldMatch &match) { return match.weight_; }},
    {"significance", [](const FieldMatch &match) { return match.significance_; }},
    {"importance", [](const FieldMatch &match) { return (match.significance_ + match.weight_) / 2; }},
    {"segments", [](const FieldMatch &match) { return match.segments_; }},
    {"matches", [](const FieldMatch &match) { return match.matches_; }},
    {"degradedMatches", [](const FieldMatch &) { return 0.0; }},  // those whose places are not known
    {"outOfOrder", [](const FieldMatch &match) { return match.out_of_order_; }},
    {"gaps", [](const FieldMatch &match) { return match.gaps_; }},
    {"gapLength", [](const FieldMatch &match) { return match.gap_length_; }},
    {"longestSequence", [](const FieldMatch &match) { return match.longest_sequence_; }},
    {"head", [](const FieldMatch &match) { return match.head_; }},
    {"tail", [](const FieldMatch &match) { return match.tail_; }},
    {"segmentDistance", [](const FieldMatch &match) { return match.segment_distance_; }}};

std::optional<std::size_t> FieldMatch::output(std::string_view name) {
    const auto row = std::ranges::find(rows, name, &Row::name);
    return row == std::end(rows) ? std::nullopt : std::optional<std::size_t>(row - std::begin(rows));
}

double FieldMatch::value(std::size_t output) const {
    return matches_ == 0 ? 0 : rows[output].value(*this);
}

}  // namespace tenrex::tool
