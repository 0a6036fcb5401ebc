// The ranking for one query: the phases one after the other.
#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "tools/rank/ranker.h"

namespace tenrex::tool {

// Documents of one call: enough to keep a plan busy, few enough to share them out evenly.
inline constexpr std::size_t block_documents = 1024;

// The first failure of several threads.
class FailureBox {
public:
    void put(const Error &error) {
        const std::scoped_lock lock(mutex_);
        if (!error_) {
            error_ = error;
        }
    }
    const std::optional<Error> &error() const noexcept { return error_; }

private:
    std::mutex mutex_;
    std::optional<Error> error_;
};

inline bool dropped(double score, const std::optional<double> &limit) {
    return limit && !(score > *limit);
}

inline bool holds_nan(std::span<const double> scores) {
    bool any = false;
    for (const double score : scores) {
        any |= std::isnan(score);  // all of them, so that it is a loop of vectors
    }
    return any;
}

class Ranker::Run {
public:
    Run(Ranker &ranker, const std::vector<NamedTensor> &values) : ranker_(ranker), values_(values) {}

    Result<RankedList> run();

private:
    using Clock = std::chrono::steady_clock;

    Status first_phase();
    // The first phase of those documents alone that are retrieved.
    Status first_phase_of_retrieved();
    Result<std::vector<std::uint64_t>> retrieve();
    void keep_first(TopHits top, std::size_t documents, Clock::time_point start);
    std::size_t most_hits() const;
    Status second_phase();
    Status global_phase();
    Status features();

    // Scores of the first `count` hits for each output of the plan: scores[output * count + hit].
    Result<std::vector<double>> score_hits(PhaseScorer &scorer, std::size_t count);
    Result<std::vector<double>> normalize(std::size_t count);
    void rerank_best(const std::vector<double> &scores, const std::optional<double> &drop_limit, bool &has_nan);
    HitScores known(std::size_t hit) const;
    // Gathers hits from number `begin` on, as many as a block may have, but none from `end` on. Gives their number.
    std::size_t gather(const PhaseScorer &scorer, PhaseColumns::Block &block, std::size_t begin, std::size_t end) const;
    void time(const char *phase, std::size_t documents, Clock::time_point start);
    // Evaluates each function of a phase alone and notes what it takes: for that many hits, or for the first documents
    // of the store. Moves `start` by the time that this takes.
    Status measure(const char *phase, const RankPhase &functions, std::vector<PhaseScorer> &scorers,
                   std::optional<std::size_t> hits, Clock::time_point &start);
    Status measure(PhaseScorer &scorer, std::optional<std::size_t> hits, FunctionTime &time);

    Ranker &ranker_;
    const std::vector<NamedTensor> &values_;
    RankedList list_;
    std::unordered_map<std::uint64_t, double> first_scores_;
    std::unordered_map<std::uint64_t, double> second_scores_;
    std::vector<double> normalized_;  // hit by hit
};

}  // namespace tenrex::tool
