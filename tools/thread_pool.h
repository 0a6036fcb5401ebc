// Threads that share the work on a document.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <tenrex/executor.h>

namespace tenrex::tool {

// Threads that are done look for more for a moment before they sleep: steps of a plan follow each other at once.
class ThreadPool : public Executor {
public:
    // So many threads, that of the caller included, but no more than the processors that the process may use, nor than
    // the machine gives.
    explicit ThreadPool(std::size_t threads);
    ~ThreadPool() override;

    std::size_t concurrency() const noexcept override { return threads_.size() + 1; }
    // Of two callers at a time the second one does its parts alone.
    void parallel_for(std::size_t parts, ParallelTask task) noexcept override;

private:
    void work() noexcept;
    // Runs one of the parts that were left when the state was seen; false if someone else was faster.
    bool run_part(std::uint64_t seen) noexcept;

    std::atomic<std::uint64_t> state_ = 0;  // the number of the task, and how many of its parts nobody has taken yet
    std::atomic<std::uint32_t> unfinished_ = 0;  // parts of the task
    std::atomic<bool> ends_ = false;
    std::atomic_flag is_busy_;
    const ParallelTask *task_ = nullptr;  // of whoever has taken a part
    std::vector<std::jthread> threads_;
};

}  // namespace tenrex::tool
