// Ranks the documents of a store with a profile: first phase over all, then the other phases over the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tenrex/rank_profile.h>
#include <tenrex/ranking.h>
#include <tenrex/result.h>
#include <tenrex/tensor.h>

#include "tools/rank/document_store.h"
#include "tools/rank/phase_scorer.h"

namespace tenrex::tool {

struct RankOptions {
    std::size_t hits = 10;
    std::size_t threads = 1;
    std::uint64_t seed = 0;
    bool features = false;
};

struct PhaseTime {
    const char *phase;
    std::size_t documents = 0;
    double seconds = 0;
};

// What a function of a phase takes on its own.
struct FunctionTime {
    const char *phase;
    std::string function;
    std::size_t documents = 0;
    double seconds = 0;
};

struct RankedList {
    std::vector<Hit> hits;
    std::vector<Tensor> features;  // output by output, hit by hit; empty unless wanted
    std::vector<PhaseTime> times;
    std::vector<FunctionTime> function_times;  // if the profile has plans for its functions
};

// The result is the same for any number of threads. Threads must not share a ranker: it starts its own.
class Ranker {
public:
    Ranker(const RankProfile &profile, const DocumentLayout &layout, const DocumentStore &store,
           const RankOptions &options);

    Result<RankedList> rank(const std::vector<NamedTensor> &given, double now);

private:
    class Run;

    PhaseScorer make_scorer(const DocumentLayout &layout, const RankPhase &phase,
                            const std::vector<Normalizer> &normalizers) const;
    std::vector<PhaseScorer> make_function_scorers(const DocumentLayout &layout, const RankPhase &phase,
                                                   const std::vector<Normalizer> &normalizers) const;

    RankProfile profile_;
    const DocumentStore &store_;
    RankOptions options_;
    PhaseScorer first_, second_, normalized_, global_, features_;
    std::vector<PhaseScorer> first_functions_, second_functions_, global_functions_;
};

}  // namespace tenrex::tool
