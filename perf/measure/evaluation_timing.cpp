#include "perf/measure/evaluation_timing.h"

#include <algorithm>
#include <chrono>
#include <latch>
#include <limits>
#include <numeric>
#include <system_error>
#include <thread>

#include <fmt/format.h>

namespace tenrex::perf {

namespace {

using Clock = std::chrono::steady_clock;

volatile double sink;  // what is never read could be left out

Context context_of(const Workload &workload, Executor *executor) {
    return executor == nullptr ? Context(workload.plan()) : Context(workload.plan(), *executor);
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}
double wall_seconds() {
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// Some blocks of documents, and what a thread needs to evaluate them.
class Share {
public:
    Share(const Workload &workload, Executor *executor)
        : workload_(&workload), context_(context_of(workload, executor)), columns_(workload.columns()) {}

    void add(std::size_t first, std::size_t count) {
        blocks_.push_back({{count, columns_, first}, {}});
        documents_ += count;
        scores_.resize(documents_);
    }
    // Between the calls there is to be next to nothing: what they are given is made before.
    void finish() {
        std::size_t done = 0;
        for (Part &part : blocks_) {
            part.scores = std::span(scores_).subspan(done, part.block.documents);
            done += part.block.documents;
        }
    }
    std::size_t documents() const noexcept { return documents_; }

    void evaluate() {
        const Query &query = workload_->query();
        for (const Part &part : blocks_) {
            if (Status status = query.evaluate(part.block, context_, part.scores); !status) {
                failure_ = status;
            }
        }
    }
    void profile(std::span<double> seconds) {
        for (const Part &part : blocks_) {
            if (Status status = workload_->query().profile(part.block, context_, seconds); !status) {
                failure_ = status;
            }
        }
    }
    std::size_t steps() const { return workload_->plan().document_steps(); }
    const Status &failure() const noexcept { return failure_; }
    double sum() const { return std::accumulate(scores_.begin(), scores_.end(), 0.0); }

private:
    struct Part {
        Block block;
        std::span<double> scores;
    };
    const Workload *workload_;
    Context context_;
    std::vector<Column> columns_;
    std::vector<Part> blocks_;
    std::size_t documents_ = 0;
    std::vector<double> scores_;
    Status failure_;
};

std::vector<Share> shares_of(const Workload &workload, std::size_t block_size, std::size_t threads,
                             Executor *executor = nullptr) {
    std::vector<Share> shares;
    for (std::size_t i = 0; i < threads; ++i) {
        shares.emplace_back(workload, executor);
    }
    std::size_t next = 0;
    for (std::size_t first = 0; first < workload.documents(); first += block_size) {
        shares[next++ % threads].add(first, std::min(block_size, workload.documents() - first));
    }
    for (Share &share : shares) {
        share.finish();
    }
    return shares;
}

// All threads begin at the same moment; the time ends with the last of them.
double run_threads(std::vector<Share> &shares, std::size_t repeats) {
    std::latch ready(static_cast<std::ptrdiff_t>(shares.size()));
    std::latch go(1);
    std::vector<std::jthread> threads;
    threads.reserve(shares.size());
    try {
        for (Share &share : shares) {
            threads.emplace_back([&] {
                share.evaluate();  // its memory is there, and in the caches
                ready.count_down();
                go.wait();
                for (std::size_t i = 0; i < repeats; ++i) {
                    share.evaluate();
                }
            });
        }
    } catch (...) {  // the machine has no more threads: those that wait must end
        repeats = 0;
        go.count_down();
        throw;
    }
    ready.wait();
    const auto start = Clock::now();
    go.count_down();
    threads.clear();
    return seconds_since(start);
}

Status failure_of(const std::vector<Share> &shares) {
    for (const Share &share : shares) {
        sink = share.sum();
        if (!share.failure()) {
            return share.failure();
        }
    }
    return {};
}

// The least of several samples: one that is interrupted would make every step seem to take no time.
double clock_seconds() {
    constexpr int samples = 20, readings = 50;
    double least = std::numeric_limits<double>::infinity();
    for (int sample = 0; sample < samples; ++sample) {
        const auto start = Clock::now();
        for (int i = 1; i < readings; ++i) {
            Clock::now();
        }
        least = std::min(least, seconds_since(start) / readings);
    }
    return least;
}

double median(std::vector<double> &numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

// The steps of a plan, in samples so short that hardly one of them is interrupted. Steps are timed by the clock on the
// wall, which takes a few nanoseconds to read; that of the thread takes longer than most steps. An interruption makes
// one step of one sample longer, which the median does not see.
class StepSamples {
public:
    // now: the seconds that `whole` is counted in. clock: of a document.
    StepSamples(Share &share, double (*now)(), double clock) : share_(share), now_(now), clock_(clock) {}

    void take() {
        std::vector<double> seconds(share_.steps());
        const double start = now_();
        for (std::size_t i = 0; i < repeats_; ++i) {
            share_.evaluate();
        }
        const double whole = now_() - start;
        for (std::size_t i = 0; i < repeats_; ++i) {
            share_.profile(seconds);
        }
        if (whole < least_sample) {  // too short for the clock of the thread: not counted
            repeats_ *= 2;
            return;
        }
        const double nanoseconds = 1e9 / static_cast<double>(repeats_ * share_.documents());
        whole_.push_back(whole * nanoseconds);
        steps_.resize(seconds.size());
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            steps_[i].push_back(std::max(0.0, seconds[i] * nanoseconds - clock_ * 1e9));
        }
    }
    std::size_t count() const noexcept { return whole_.size(); }

    StepTimes times() {
        StepTimes times;
        times.whole = median(whole_);
        double sum = 0;
        for (std::vector<double> &step : steps_) {
            times.steps.push_back(median(step));
            sum += times.steps.back();
        }
        // A step that is timed waits until the one before has ended, so together they may seem to take longer.
        const double share = sum > times.whole ? times.whole / sum : 1;
        for (double &step : times.steps) {
            step *= share;
        }
        times.between = times.whole - sum * share;
        return times;
    }

private:
    static constexpr double least_sample = 2e-4;  // seconds

    Share &share_;
    double (*now_)();
    double clock_;  // seconds for a document
    std::size_t repeats_ = 1;
    std::vector<double> whole_;
    std::vector<std::vector<double>> steps_;
};

}  // namespace

Result<Timing> time_blocks(const Workload &workload, std::size_t block_size, const Effort &effort, std::size_t threads,
                           Executor *executor) {
    std::vector<Share> shares = shares_of(workload, block_size, threads, executor);
    const auto run_shares = [&](std::size_t repeats) {
        if (executor == nullptr) {
            return run_threads(shares, repeats);
        }
        const auto start = Clock::now();
        for (std::size_t i = 0; i < repeats; ++i) {
            shares[0].evaluate();
        }
        return seconds_since(start);
    };
    const std::size_t documents =
        std::accumulate(shares.begin(), shares.end(), std::size_t{0},
                        [](std::size_t sum, const Share &share) { return sum + share.documents(); });
    Timing timing;
    try {
        timing = threads == 1 && executor == nullptr ? measure(documents, effort, [&] { shares[0].evaluate(); })
                                                     : measure_runs(documents, effort, run_shares);
    } catch (const std::system_error &error) {
        return Error(fmt::format("cannot start {} threads: {}", threads, error.what()), "take fewer");
    }
    if (const Status failure = failure_of(shares); !failure) {
        return failure.error();
    }
    return timing;
}

Result<Timing> time_reference(const Workload &workload, const Effort &effort) {
    std::vector<std::vector<NamedTensor>> inputs = workload.samples();
    for (std::vector<NamedTensor> &values : inputs) {
        values.insert(values.end(), workload.query_values().begin(), workload.query_values().end());
    }
    Status failure;
    const Timing timing = measure(inputs.size(), effort, [&] {
        for (const std::vector<NamedTensor> &values : inputs) {
            if (const Result<Tensor> value = workload.expression().evaluate_reference(values); !value) {
                failure = value.error();
            }
        }
    });
    if (!failure) {
        return failure.error();
    }
    return timing;
}

Result<StepTimes> time_steps(const Workload &workload, std::size_t block_size, const Effort &effort,
                             Executor *executor) {
    Share share = std::move(shares_of(workload, block_size, 1, executor).front());
    const std::size_t calls = (share.documents() + block_size - 1) / block_size;
    const std::size_t pieces = calls * ((block_size + workload.plan().piece() - 1) / workload.plan().piece());
    const double clock = clock_seconds() * static_cast<double>(pieces) / static_cast<double>(share.documents());
    share.evaluate();
    const auto now = executor == nullptr ? thread_seconds : wall_seconds;
    StepSamples samples(share, now, clock);
    const double start = now();
    const double wanted = static_cast<double>(effort.runs) * effort.run_seconds;
    do {
        samples.take();
    } while (samples.count() < effort.runs || now() - start < wanted);
    if (!share.failure()) {
        return share.failure().error();
    }
    return samples.times();
}

std::size_t context_bytes(const Workload &workload, std::size_t block_size, Executor *executor) {
    Context context = context_of(workload, executor);
    const std::size_t count = std::min(block_size, workload.documents());
    std::vector<double> scores(count);
    const std::vector<Column> columns = workload.columns();
    const Status status = workload.query().evaluate({count, columns}, context, scores);
    return status ? context.memory_bytes() : 0;
}

}  // namespace tenrex::perf
