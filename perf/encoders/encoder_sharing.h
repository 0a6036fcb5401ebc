// Threads that share the steps of one text, beside one thread, and beside threads that embed a text each.
#pragma once

#include <cstddef>

#include <tenrex/result.h>

#include "perf/encoders/encoder.h"

namespace tenrex::perf {

// Milliseconds of a text by the clock on the wall, medians of rounds in which all three were timed.
struct SharingFigures {
    double alone_ms = 0;
    double shared_ms = 0;
    double apart_ms = 0;     // the mean of the threads, divided by their number: what the processors can do
    double share = 0;        // shared ÷ alone, in the same round
    double apart_share = 0;  // apart ÷ alone
};

// Rounds follow each other until the time is over. Errors: what fails to evaluate, fewer processors than threads, and
// vectors with other bits than those of one thread.
Result<SharingFigures> time_shared(const Encoder &encoder, const Texts &texts, std::size_t threads, double seconds);

}  // namespace tenrex::perf
