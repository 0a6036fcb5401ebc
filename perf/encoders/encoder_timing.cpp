#include "perf/encoders/encoder_timing.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "perf/measure/measure.h"

namespace tenrex::perf {

namespace {

constexpr int fewest = 2;
constexpr int most = 1000;

Status evaluate(Embedding &embedding, std::size_t count, bool one_by_one) {
    if (!one_by_one) {
        return embedding.evaluate(0, count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (Status status = embedding.evaluate(i, 1); !status) {
            return status;
        }
    }
    return {};
}

// Calls once(), which gives a status, until the time is over.
template <class Once>
Status repeat(double seconds, const Once &once) {
    const double begin = thread_seconds();
    for (int i = 0; i < most && (i < fewest || thread_seconds() - begin < seconds); ++i) {
        if (Status status = once(); !status) {
            return status;
        }
    }
    return {};
}

// Of the least disturbed evaluation, the one that took the least time by the clock on the wall. The kinds share what
// the evaluations took that no step was timed of.
Status time_steps(Embedding &embedding, const Plan &plan, double seconds, TextTimes &times) {
    const std::vector<PlanStep> steps = plan.steps(Stage::document);
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> best(steps.size());
    Status status = repeat(seconds, [&]() -> Status {
        std::vector<double> taken(steps.size());
        if (Status each = embedding.profile(taken); !each) {
            return each;
        }
        const double sum = std::accumulate(taken.begin(), taken.end(), 0.0);
        if (sum < least) {
            least = sum;
            best = taken;
        }
        return {};
    });
    if (!status) {
        return status;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::string_view kernel = steps[i].kernel;
        double &kind = kernel.find("::matmul_") != kernel.npos      ? times.products
                       : kernel.find("::attention_") != kernel.npos ? times.attention
                                                                    : times.rest;
        kind += best[i] / least * times.whole;
    }
    return {};
}

}  // namespace

Result<TextTimes> time_texts(const Encoder &encoder, const Texts &texts, const TextTiming &timing) {
    Embedding embedding(encoder, texts);
    TextTimes times;
    // The first one brings memory and caches up.
    if (Status status = evaluate(embedding, texts.count(), timing.one_by_one); !status) {
        return status.error();
    }
    times.whole = std::numeric_limits<double>::infinity();
    const Status status = repeat(timing.seconds, [&] {
        const double start = thread_seconds();
        Status each = evaluate(embedding, texts.count(), timing.one_by_one);
        times.whole = std::min(times.whole, (thread_seconds() - start) * 1e3);
        return each;
    });
    if (!status) {
        return status.error();
    }
    times.vectors = embedding.vectors();
    if (timing.steps) {
        if (Status each = time_steps(embedding, encoder.plan(), timing.seconds, times); !each) {
            return each.error();
        }
    }
    times.context_bytes = embedding.context_bytes();
    return times;
}

}  // namespace tenrex::perf
