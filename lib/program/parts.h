// How the threads of an executor share the work of a step.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include <tenrex/executor.h>

#include "lib/program/value.h"

namespace tenrex::program {

// Items of a step's work, such as rows, cut in pieces of some that follow each other. Each thread, by its number, has a
// share of them, about the same one in all steps: an executor that gives a number to the same thread each time lets it
// read what it wrote from its own cache. A thread takes half of what is left of its own share until nothing is, and
// then of the others': there are few calls, and all threads are done at about the same time, however fast they are.
// What becomes of an item must not depend on the piece that it is in.
class Parts {
public:
    // nanoseconds: what an item takes, estimated. grain: pieces begin at multiples of it.
    Parts(const Frame &frame, std::size_t count, double nanoseconds, std::size_t grain = 1) noexcept : count_(count) {
        if (frame.executor != nullptr && count > grain) {
            cut(*frame.executor, nanoseconds, grain);
        }
    }

    // What a piece takes at least, where there is as much to do.
    static double nanoseconds_of_piece(const Executor &executor) noexcept { return 3 * least_nanoseconds_of(executor); }

    std::size_t threads() const noexcept { return threads_; }
    // Calls work(thread, first, count) for items that are all of them together; those with the same number of a thread,
    // which is less than threads(), one after the other. It must not throw, and not make room.
    template <class Work>
    void run(const Work &work) const {
        if (threads_ == 1) {
            work(std::size_t{0}, std::size_t{0}, count_);
            return;
        }
        std::atomic<std::size_t> next[most_threads];
        for (std::size_t thread = 0; thread < threads_; ++thread) {
            next[thread] = thread * pieces_ / threads_;
        }
        const auto run_share = [&](std::size_t thread, std::size_t share) {
            const std::size_t end = (share + 1) * pieces_ / threads_;
            for (std::size_t piece = next[share].load(std::memory_order_relaxed); piece < end;) {
                const std::size_t after = piece + (end - piece + 1) / 2;
                if (next[share].compare_exchange_weak(piece, after, std::memory_order_relaxed)) {
                    const std::size_t first = first_of(piece);
                    work(thread, first, first_of(after) - first);
                    piece = next[share].load(std::memory_order_relaxed);
                }
            }
        };
        executor_->parallel_for(threads_, ParallelTask([&](std::size_t thread) {
                                    for (std::size_t i = 0; i < threads_; ++i) {
                                        run_share(thread, (thread + i) % threads_);
                                    }
                                }));
    }

private:
    static constexpr std::size_t most_threads = 256;

    std::size_t first_of(std::size_t piece) const noexcept {
        const std::size_t grains = (count_ + grain_ - 1) / grain_;
        return std::min(count_, grains * piece / pieces_ * grain_);
    }

    static double least_nanoseconds_of(const Executor &executor) noexcept {
        return std::max(1.0, executor.least_nanoseconds());
    }

    void cut(Executor &executor, double nanoseconds, std::size_t grain) noexcept {
        const double least = least_nanoseconds_of(executor);
        const double all = nanoseconds * static_cast<double>(count_);
        const std::size_t grains = (count_ + grain - 1) / grain;
        const std::size_t most = std::min({executor.concurrency(), most_threads, grains});
        if (most < 2 || all < 2 * least) {
            return;
        }
        executor_ = &executor;
        threads_ = static_cast<std::size_t>(std::min(all / least, static_cast<double>(most)));
        const double pieces = std::clamp(all / nanoseconds_of_piece(executor), static_cast<double>(threads_),
                                         static_cast<double>(grains));
        pieces_ = static_cast<std::size_t>(pieces) / threads_ * threads_;
        grain_ = grain;
    }

    Executor *executor_ = nullptr;
    std::size_t count_;
    std::size_t threads_ = 1;
    std::size_t pieces_ = 1;
    std::size_t grain_ = 1;
};

// What takes no more than a few operations of a vector takes so long for each of its cells.
inline constexpr double nanoseconds_of_cell = 0.05;

}  // namespace tenrex::program
