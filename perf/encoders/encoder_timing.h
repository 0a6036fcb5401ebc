// What texts take on one thread, and which share of it products, attention and the rest have.
#pragma once

#include <vector>

#include <tenrex/result.h>

#include "perf/encoders/encoder.h"

namespace tenrex::perf {

struct TextTiming {
    bool one_by_one = false;  // a call for each text; else one for all
    bool steps = false;       // time the kinds of steps, too; for one call
    double seconds = 0.4;     // at least so long, but for one evaluation
};

// Milliseconds of the processor for all texts together: the least of several evaluations.
struct TextTimes {
    double whole = 0;
    double products = 0;   // of matrices, with their epilogues
    double attention = 0;  // scores, softmax and weighted values
    double rest = 0;
    std::vector<float> vectors;
    std::size_t context_bytes = 0;
};

Result<TextTimes> time_texts(const Encoder &encoder, const Texts &texts, const TextTiming &timing);

}  // namespace tenrex::perf
