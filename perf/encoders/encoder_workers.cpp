#include "perf/encoders/encoder_workers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <latch>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace tenrex::perf {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Of all threads together.
double processor_seconds() {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Pages that no other process has.
std::size_t private_bytes() {
    std::ifstream file("/proc/self/smaps_rollup");
    std::size_t kilobytes = 0;
    for (std::string word; file >> word;) {
        std::size_t number = 0;
        if (word.starts_with("Private_") && file >> number) {
            kilobytes += number;
        }
    }
    return kilobytes * 1024;
}

struct Worker {
    Worker(const Encoder &encoder, const Texts &texts) : embedding(encoder, texts) {}

    Embedding embedding;
    std::vector<double> milliseconds;
    Status failure;
};

double percentile(const std::vector<double> &sorted, double share) {
    return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

}  // namespace

Result<WorkerFigures> run_workers(const Encoder &encoder, const Texts &texts, std::size_t workers, double seconds) {
    std::vector<Worker> all;
    all.reserve(workers);
    for (std::size_t i = 0; i < workers; ++i) {
        all.emplace_back(encoder, texts);
    }
    std::atomic<std::size_t> next = 0;
    std::latch ready(static_cast<std::ptrdiff_t>(workers));
    std::latch go(1);
    Clock::time_point start;
    const auto work = [&](Worker &worker) {
        worker.failure = worker.embedding.evaluate(texts.longest(), 1);  // its memory is there, and in the caches
        ready.count_down();
        go.wait();
        while (worker.failure && seconds_since(start) < seconds) {
            const std::size_t text = next++ % texts.count();
            const auto begin = Clock::now();
            worker.failure = worker.embedding.evaluate(text, 1);
            worker.milliseconds.push_back(seconds_since(begin) * 1e3);
        }
    };
    std::vector<std::jthread> threads;
    threads.reserve(workers);
    try {
        for (Worker &worker : all) {
            threads.emplace_back([&] { work(worker); });
        }
    } catch (const std::system_error &error) {  // those that wait must end
        seconds = 0;
        go.count_down();
        threads.clear();
        return Error(fmt::format("{} threads are too many: {}", workers, error.what()));
    }
    ready.wait();
    const double before = processor_seconds();
    start = Clock::now();
    go.count_down();
    threads.clear();
    const double taken = seconds_since(start);
    const double worked = processor_seconds() - before;
    WorkerFigures figures;
    std::vector<double> milliseconds;
    for (const Worker &worker : all) {
        if (!worker.failure) {
            return worker.failure.error();
        }
        milliseconds.insert(milliseconds.end(), worker.milliseconds.begin(), worker.milliseconds.end());
        figures.context_bytes += worker.embedding.context_bytes();
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    if (milliseconds.empty()) {
        return Error("no text was embedded in that time");
    }
    figures.texts_per_second = static_cast<double>(milliseconds.size()) / taken;
    figures.processor_ms = worked * 1e3 / static_cast<double>(milliseconds.size());
    figures.median_ms = percentile(milliseconds, 0.5);
    figures.late_ms = percentile(milliseconds, 0.99);
    figures.private_bytes = private_bytes();
    return figures;
}

}  // namespace tenrex::perf
