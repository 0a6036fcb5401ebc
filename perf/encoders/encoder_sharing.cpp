#include "perf/encoders/encoder_sharing.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "tools/thread_pool.h"

namespace tenrex::perf {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t fewest_rounds = 3;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Of all texts, one after the other.
Result<double> milliseconds_of(Embedding &embedding, std::size_t texts) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < texts; ++i) {
        if (Status status = embedding.evaluate(i, 1); !status) {
            return status.error();
        }
    }
    return milliseconds_since(start);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// All threads embed all texts at the same time.
Result<double> milliseconds_apart(std::vector<Embedding> &embeddings, std::size_t texts, tool::ThreadPool &pool) {
    std::vector<Result<double>> taken(embeddings.size(), Result<double>(0.0));
    pool.parallel_for(embeddings.size(), ParallelTask([&](std::size_t thread) {
                          taken[thread] = milliseconds_of(embeddings[thread], texts);
                      }));
    double sum = 0;
    for (const Result<double> &each : taken) {
        if (!each) {
            return each.error();
        }
        sum += *each;
    }
    const auto threads = static_cast<double>(embeddings.size());
    return sum / threads / threads;
}

}  // namespace

Result<SharingFigures> time_shared(const Encoder &encoder, const Texts &texts, std::size_t threads, double seconds) {
    tool::ThreadPool pool(threads);
    if (pool.concurrency() < threads) {
        return Error(fmt::format("there are processors for {} threads only", pool.concurrency()));
    }
    Embedding alone(encoder, texts), shared(encoder, texts, &pool);
    std::vector<Embedding> apart;
    apart.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) {
        apart.emplace_back(encoder, texts);
    }
    std::vector<double> figures[5];
    const auto begin = Clock::now();
    for (std::size_t round = 0; round < fewest_rounds || milliseconds_since(begin) < seconds * 1e3; ++round) {
        const Result<double> by_one = milliseconds_of(alone, texts.count());
        const Result<double> by_all = milliseconds_of(shared, texts.count());
        const Result<double> by_each = milliseconds_apart(apart, texts.count(), pool);
        for (const Result<double> *each : {&by_one, &by_all, &by_each}) {
            if (!*each) {
                return each->error();
            }
        }
        if (shared.vectors() != alone.vectors()) {
            return Error(fmt::format("{} threads find other vectors than one", threads));
        }
        if (round == 0) {  // it brought memory and caches up
            continue;
        }
        const auto of_text = static_cast<double>(texts.count());
        const double values[] = {*by_one / of_text, *by_all / of_text, *by_each / of_text, *by_all / *by_one,
                                 *by_each / *by_one};
        for (std::size_t i = 0; i < std::size(values); ++i) {
            figures[i].push_back(values[i]);
        }
    }
    return SharingFigures{median(figures[0]), median(figures[1]), median(figures[2]), median(figures[3]),
                          median(figures[4])};
}

}  // namespace tenrex::perf
