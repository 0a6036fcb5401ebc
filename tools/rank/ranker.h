// Ranks the documents of a store with a profile: first phase over all, then the other phases over the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/rank_profile.h>
#include <tenrex/ranking.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>

#include "tools/rank/document_store.h"
#include "tools/rank/phase_scorer.h"
#include "tools/rank/query_source.h"
#include "tools/rank/text_features.h"
#include "tools/rank/vector_retriever.h"

namespace tenrex::tool {

struct RankOptions {
    std::size_t hits = 10;
    std::size_t threads = 1;
    std::uint64_t seed = 0;
    bool features = false;
    // Which documents the first phase sees: those that any of these finds. Empty: all.
    std::vector<RetrieveArgument> retrieve;
    bool compare_exactly = false;  // what graphs find, for the recall
};

struct PhaseTime {
    const char *phase;
    std::size_t documents = 0;
    double seconds = 0;
    const char *unit = "documents";  // what are counted
};

// What a function of a phase takes on its own.
struct FunctionTime {
    const char *phase;
    std::string function;
    std::size_t documents = 0;
    double seconds = 0;
};

// Whether a phase gave a score that is NaN.
struct NanScores {
    bool first = false;
    bool second = false;
    bool global = false;
};

struct RankedList {
    std::vector<Hit> hits;
    std::vector<Tensor> features;  // output by output, hit by hit; empty unless wanted
    std::vector<PhaseTime> times;
    std::vector<FunctionTime> function_times;  // if the profile has plans for its functions
    NanScores nan_scores;
};

// The result is the same for any number of threads. Threads must not share a ranker: it starts its own.
class Ranker {
public:
    Ranker(const RankProfile &profile, const DocumentLayout &layout, const DocumentStore &store,
           const RankOptions &options);

    // Makes the indexes of vectors. Error: a document has a vector that cannot be in one.
    Status prepare(const DocumentLayout &layout);
    Result<RankedList> rank(const RankQuery &query, double now);
    const std::vector<VectorRetriever> &retrievers() const noexcept { return retrievers_; }

private:
    class Run;

    PhaseScorer make_scorer(const DocumentLayout &layout, const RankPhase &phase,
                            const std::vector<Normalizer> &normalizers);
    PhaseColumns make_columns(const DocumentLayout &layout, const std::vector<ColumnNeed> &needs,
                              const std::vector<Normalizer> &normalizers);
    std::vector<PhaseScorer> make_function_scorers(const DocumentLayout &layout, const RankPhase &phase,
                                                   const std::vector<Normalizer> &normalizers);

    RankProfile profile_;
    const DocumentStore &store_;
    RankOptions options_;
    std::optional<TextFeatures> texts_;
    std::vector<VectorRetriever> retrievers_;
    PhaseScorer first_, second_, normalized_, global_, features_;
    std::vector<PhaseScorer> first_functions_, second_functions_, global_functions_;
};

}  // namespace tenrex::tool
