// Executors for tests, that share even the shortest steps.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

#include <tenrex/executor.h>

namespace tenrex::differential {

class EagerExecutor : public Executor {
public:
    explicit EagerExecutor(std::size_t concurrency) : concurrency_(concurrency) {}
    std::size_t concurrency() const noexcept override { return concurrency_; }
    double least_nanoseconds() const noexcept override { return 0; }
    void parallel_for(std::size_t parts, ParallelTask task) noexcept override {
        ++calls_;
        run(parts, task);
    }
    // Steps that were shared.
    std::size_t calls() const noexcept { return calls_; }

private:
    virtual void run(std::size_t parts, ParallelTask task) noexcept = 0;

    std::size_t concurrency_;
    std::size_t calls_ = 0;
};

// One part after the other, the last one first, on the thread of the caller.
class PartsInTurn : public EagerExecutor {
public:
    using EagerExecutor::EagerExecutor;

private:
    void run(std::size_t parts, ParallelTask task) noexcept override {
        while (parts != 0) {
            task(--parts);
        }
    }
};

// A thread for each part.
class ThreadsForParts : public EagerExecutor {
public:
    using EagerExecutor::EagerExecutor;

private:
    void run(std::size_t parts, ParallelTask task) noexcept override {
        std::vector<std::jthread> threads;
        threads.reserve(parts);
        for (std::size_t part = 1; part < parts; ++part) {
            threads.emplace_back([=] { task(part); });
        }
        task(0);
    }
};

}  // namespace tenrex::differential
