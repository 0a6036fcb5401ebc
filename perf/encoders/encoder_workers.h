// Threads that take texts from a queue, each with a context of its own, over one plan.
#pragma once

#include <cstddef>

#include <tenrex/result.h>

#include "perf/encoders/encoder.h"

namespace tenrex::perf {

struct WorkerFigures {
    double texts_per_second = 0;
    double median_ms = 0;           // from taking a text to its vector, by the clock on the wall
    double late_ms = 0;             // the 99th percentile
    double processor_ms = 0;        // of all processors for a text: what other programs take does not count
    std::size_t context_bytes = 0;  // of all threads
    std::size_t private_bytes = 0;  // of the process, while all contexts are there
};

// All of them work until the time is over. Errors: what fails to evaluate, and more threads than the machine gives.
Result<WorkerFigures> run_workers(const Encoder &encoder, const Texts &texts, std::size_t workers, double seconds);

}  // namespace tenrex::perf
