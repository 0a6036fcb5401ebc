// Everything that is measured of an expression.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/executor.h>
#include <tenrex/plan.h>
#include <tenrex/result.h>

#include "perf/measure/case.h"
#include "perf/measure/measure.h"
#include "perf/measure/peaks.h"
#include "perf/measure/workload.h"

namespace tenrex::perf {

struct MeasureOptions {
    CompileOptions compile;
    std::uint64_t seed = 1;
    std::size_t documents = 0;  // 0: those of the case, else as many as fit into the second-level cache
    std::vector<std::size_t> blocks = {1, 64};
    std::size_t threads = 1;
    Executor *executor = nullptr;  // whose threads share the work on each block; null: none. Then `threads` is 1
    bool reference = false;        // time the reference evaluator instead
    bool profile = false;          // time each step, too
    bool check_only = false;       // time nothing
    bool check = true;             // the results first
    Effort effort;
};

struct BlockFigures {
    std::size_t size = 0;
    Timing timing;              // nanoseconds per document
    double roofline_share = 0;  // of what the machine's peaks would allow
};

struct StepFigures {
    PlanStep step;
    double nanoseconds = 0;  // per document, in blocks of the last size
};

struct Figures {
    std::size_t documents = 0;
    std::size_t document_bytes = 0;
    std::string level;      // where the documents fit: "L2"
    std::string unchecked;  // why the oracle could not check the results; empty if it has
    std::string plan;       // explained; empty for the reference evaluator
    std::size_t steps = 0;
    std::size_t piece = 0;
    Timing compile;  // nanoseconds, with parsing
    Timing bind;
    std::vector<BlockFigures> blocks;
    std::vector<StepFigures> profile;  // together with what stands between the steps, the time of the last block
    double between_steps = 0;          // nanoseconds per document
    std::size_t memory_bytes = 0;      // of a bound query and the contexts of all threads
    double flops = 0;                  // for a document, estimated
    double bytes_read = 0;             // what the plan must read of a document
    double bytes_written = 0;          // of its result
    double lookups = 0;                // labels that must be found for a document
    double arithmetic_ns = 0;          // the least that the flops take, each step with the peak for its cells
    double loads_ns = 0;               // the least that it takes to read the bytes from the level of the documents
    double stores_ns = 0;              // the same of writing, to the level that a piece's results fit in
    std::string store_level;
    double lookups_ns = 0;   // the least that it takes to find the labels
    double roofline_ns = 0;  // the least that a document takes: the most of the four, shared by the threads

    // The fastest block size.
    const BlockFigures &best() const;
};

// Estimated from the steps of the plan and the labels that the documents have.
double flops_per_document(const Workload &workload);

// Enough for a branch predictor not to learn them, few enough for 512 KiB of second-level cache.
std::size_t fitting_documents(std::size_t document_bytes);

// Checks the results and measures. Errors: what fails to compile or to evaluate, and a wrong result.
Result<Figures> measure_case(const Case &described, const MeasureOptions &options);

}  // namespace tenrex::perf
