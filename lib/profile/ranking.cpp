#include <tenrex/ranking.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tenrex {

namespace {

double without_nan(double score) noexcept {
    return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
}

// Of the finite ones among some numbers.
struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) noexcept {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    bool empty() const noexcept { return low > high; }
    double width() const noexcept { return high - low; }
};

// How much wider the range of new scores is than that of old ones; ranges below 1 count as 1. Of halves, because a
// width may be beyond the largest double.
double scale_between(const Range &old_scores, const Range &new_scores) noexcept {
    const auto half = [](const Range &range) { return std::max(0.5, range.high / 2 - range.low / 2); };
    return std::min(half(new_scores) / half(old_scores), std::numeric_limits<double>::max());
}

}  // namespace

bool ranks_before(const Hit &a, const Hit &b) noexcept {
    const double x = without_nan(a.score);
    const double y = without_nan(b.score);
    return x != y ? x > y : a.document < b.document;
}

void TopHits::add(std::uint64_t document, double score) {
    const Hit hit{document, score};
    if (hits_.size() < most_) {
        hits_.push_back(hit);
        if (hits_.size() == most_) {
            std::make_heap(hits_.begin(), hits_.end(), ranks_before);
        }
    } else if (most_ != 0 && ranks_before(hit, hits_.front())) {
        std::pop_heap(hits_.begin(), hits_.end(), ranks_before);
        hits_.back() = hit;
        std::push_heap(hits_.begin(), hits_.end(), ranks_before);
    }
}

void TopHits::merge(const TopHits &other) {
    for (const Hit &hit : other.hits_) {
        add(hit.document, hit.score);
    }
}

std::vector<Hit> TopHits::take() && {
    std::sort(hits_.begin(), hits_.end(), ranks_before);
    return std::move(hits_);
}

void rerank(std::vector<Hit> &hits, std::span<const double> scores) {
    const std::size_t reranked = std::min(hits.size(), scores.size());
    Range old_scores, new_scores;
    for (std::size_t i = 0; i < reranked; ++i) {
        old_scores.add(hits[i].score);
        new_scores.add(scores[i]);
        hits[i].score = scores[i];
    }
    const auto rest = hits.begin() + static_cast<std::ptrdiff_t>(reranked);
    if (!old_scores.empty() && !new_scores.empty() && old_scores.low > new_scores.low) {
        // Each operation rounds in one direction, so the order stays. A sum of products with a bias would not: it may
        // round to above the lowest new score.
        const double scale = scale_between(old_scores, new_scores);
        for (auto hit = rest; hit != hits.end(); ++hit) {
            hit->score = (hit->score - old_scores.low) * scale + new_scores.low;
        }
    }
    std::sort(hits.begin(), rest, ranks_before);
    // Of equal scores the first of the two sequences comes first, and each keeps its order.
    std::inplace_merge(hits.begin(), rest, hits.end(),
                       [](const Hit &a, const Hit &b) { return without_nan(a.score) > without_nan(b.score); });
}

std::vector<double> normalize_linear(std::span<const double> values) {
    Range range;
    for (const double value : values) {
        // Numbers beyond the range of float do not count.
        range.add(std::abs(value) < std::numeric_limits<float>::max() ? value : std::nan(""));
    }
    std::vector<double> result(values.size(), 0.5);
    if (range.empty() || !(range.width() > 0)) {
        return result;
    }
    const double middle = (range.low + range.high) / 2;
    for (std::size_t i = 0; i < values.size(); ++i) {
        result[i] = 0.5 + (values[i] - middle) / range.width();
    }
    return result;
}

std::vector<double> reciprocal_rank(std::span<const double> values, double k) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return without_nan(values[a]) > without_nan(values[b]); });
    std::vector<double> result(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        result[order[i]] = 1 / (k + 1 + static_cast<double>(i));
    }
    return result;
}

}  // namespace tenrex
