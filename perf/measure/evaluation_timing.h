// Times how a workload's documents are evaluated.
#pragma once

#include <cstddef>
#include <vector>

#include <tenrex/result.h>

#include "perf/measure/measure.h"
#include "perf/measure/workload.h"

namespace tenrex::perf {

// Per document, evaluating all documents block by block. The columns of all blocks are described beforehand. Several
// threads share the blocks, or those of an executor each of them; then time is that of the clock on the wall. Errors:
// what fails to evaluate, and more threads than the machine gives.
Result<Timing> time_blocks(const Workload &workload, std::size_t block_size, const Effort &effort,
                           std::size_t threads = 1, Executor *executor = nullptr);

// Per document, by the reference evaluator: those documents that the workload has as samples.
Result<Timing> time_reference(const Workload &workload, const Effort &effort);

// Nanoseconds per document: of the processor, or of the clock on the wall if threads share a block.
struct StepTimes {
    std::vector<double> steps;
    double between = 0;  // the call, and what stands between the steps
    double whole = 0;    // all of it together
};

// One thread, or those of an executor, in blocks of that size, without the reading of the clock.
Result<StepTimes> time_steps(const Workload &workload, std::size_t block_size, const Effort &effort,
                             Executor *executor = nullptr);

// Bytes of the memory that a context needs once it has seen the blocks.
std::size_t context_bytes(const Workload &workload, std::size_t block_size, Executor *executor = nullptr);

}  // namespace tenrex::perf
