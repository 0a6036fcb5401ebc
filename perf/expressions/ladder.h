// What each part of the compiler adds for a case: from the reference evaluator to everything at once.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/result.h>

#include "perf/measure/case.h"
#include "perf/measure/measure.h"

namespace tenrex::perf {

struct RungFigures {
    std::string what;
    double nanoseconds = std::numeric_limits<double>::infinity();  // for each document, the least of all runs
    // From the reference evaluator, relative to the larger of 1 and its number: the greatest of all documents, where
    // both evaluate the same numbers.
    std::optional<double> difference;
};

struct LadderOptions {
    std::size_t documents = 0;  // 0: as many as take a moment
    std::size_t compared = 0;   // documents whose scores are compared with the reference evaluator's
    std::size_t rounds = 2;     // over all rungs: a phase in which the machine is slow does not meet all runs of one
    Effort effort = {1, 0.002};
};

// Each rung keeps documents of its own until all are measured.
Result<std::vector<RungFigures>> measure_ladder(const Case &described, const LadderOptions &options);

}  // namespace tenrex::perf
