// Times how a workload's documents are evaluated.
#pragma once

#include "perf/expressions/measure.h"
#include "perf/expressions/workload.h"

namespace tenrex::perf {

// Per document, evaluating all documents block by block. The columns of all blocks are described beforehand.
Result<Timing> time_blocks(const Workload &workload, std::size_t block_size, const Effort &effort);

// Bytes of the memory that a context needs once it has seen the blocks.
std::size_t context_bytes(const Workload &workload, std::size_t block_size);

}  // namespace tenrex::perf
