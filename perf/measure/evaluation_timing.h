// Times how a workload's documents are evaluated.
#pragma once

#include <cstddef>
#include <vector>

#include <tenrex/result.h>

#include "perf/measure/measure.h"
#include "perf/measure/workload.h"

namespace tenrex::perf {

// Per document, evaluating all documents block by block. The columns of all blocks are described beforehand. Several
// threads share the blocks; then time is that of the clock.
Result<Timing> time_blocks(const Workload &workload, std::size_t block_size, const Effort &effort,
                           std::size_t threads = 1);

// Per document, by the reference evaluator: those documents that the workload has as samples.
Result<Timing> time_reference(const Workload &workload, const Effort &effort);

// Nanoseconds per document of each step in blocks of that size, without the reading of the clock: the least of some
// runs.
Result<std::vector<double>> time_steps(const Workload &workload, std::size_t block_size, const Effort &effort);

// Bytes of the memory that a context needs once it has seen the blocks.
std::size_t context_bytes(const Workload &workload, std::size_t block_size);

}  // namespace tenrex::perf
