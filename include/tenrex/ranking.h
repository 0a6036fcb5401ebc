// What happens to scores between the phases of a ranking: the best hits, normalizers, rescaling.
//
//   tenrex::TopHits top(1000);
//   for (std::size_t d = 0; d < scores.size(); ++d) top.add(first + d, scores[d]);
//   std::vector<tenrex::Hit> hits = std::move(top).take();
//   tenrex::rerank(hits, second_phase_scores);   // of the first hits
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tenrex/export.h>

namespace tenrex {

struct Hit {
    std::uint64_t document = 0;
    double score = 0;

    friend bool operator==(const Hit &, const Hit &) = default;
};

// The order of hits: higher scores first, NaN like minus infinity; among equals the smaller document number. It is a
// total order, so the best hits do not depend on the order in which documents come.
TENREX_EXPORT bool ranks_before(const Hit &a, const Hit &b) noexcept;

// Keeps the best hits of those it is shown.
class TENREX_EXPORT TopHits {
public:
    explicit TopHits(std::size_t most) : most_(most) {}

    void add(std::uint64_t document, double score);
    // What another thread has kept.
    void merge(const TopHits &other);
    std::size_t size() const noexcept { return hits_.size(); }
    // The hits, best first.
    std::vector<Hit> take() &&;

private:
    std::size_t most_;
    std::vector<Hit> hits_;  // a heap with the worst in front once it is full
};

// Gives the first hits new scores and sorts all hits by score; of equal scores, hits with a new score come first, then
// the smaller document number. `hits` is sorted; scores[i] belongs to hits[i], and there are at most as many. Where the
// lowest new score is below the lowest old one of the same hits, the other hits are moved and scaled below them:
// (old - lowest old) * scale + lowest new, with scale = max(1, range of new) / max(1, range of old). Scores that are
// not finite do not count for the lowest ones and the ranges. The other hits keep their order, and none of them comes
// before a hit whose new score is finite if the old ones are.
TENREX_EXPORT void rerank(std::vector<Hit> &hits, std::span<const double> scores);

// 0.5 + (value - middle) / (max - min), over the finite values; 0.5 for all if max is not above min.
TENREX_EXPORT std::vector<double> normalize_linear(std::span<const double> values);
// 1 / (k + 1 + i) for the i-th highest value, counted from 0; NaN like minus infinity; equal values in their order.
TENREX_EXPORT std::vector<double> reciprocal_rank(std::span<const double> values, double k = 60);

}  // namespace tenrex
