// What `tenrex rank` tells beside the hits: what was loaded, how long it took, the plans.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tenrex/rank_profile.h>

#include "tools/rank/document_loader.h"
#include "tools/rank/field_embedding.h"
#include "tools/rank/ranker.h"

namespace tenrex::tool {

// Says on standard error which documents are wrong and which fields no document has; if `all`, also how much was loaded
// and how many documents lack a value.
void report_loading(const LoadReport &loaded, const DocumentLayout &layout, bool skip_bad, bool all);

// Says on standard error which numbers some documents lack that phases with such scores read.
void report_nan_scores(const NanScores &scores, const RankProfile &profile, const LoadReport &loaded,
                       const DocumentLayout &layout);

// Says on standard error how many texts were cut off; if `all`, also how many there were.
void report_embedding(const std::vector<FieldEmbedding::Made> &made, bool all);

// The times of the phases, summed over queries.
class RankTimes {
public:
    void add(const RankedList &list);
    // A table of the phases, and one of the functions if they were measured.
    std::string summary() const;

private:
    std::string functions() const;

    std::size_t queries_ = 0;
    std::vector<PhaseTime> phases_;
    std::vector<FunctionTime> functions_;
};

// Lines with the recall of searches that were compared with exact ones; empty: there are none.
std::string recall_text(const std::vector<VectorRetriever> &retrievers);

// The name of each phase and its plan.
std::string explain_phases(const RankProfile &profile);

}  // namespace tenrex::tool
