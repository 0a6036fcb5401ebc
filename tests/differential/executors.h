// An executor for tests.
#pragma once

#include <cstddef>

#include <tenrex/executor.h>

namespace tenrex::differential {

// Shares even the shortest steps: one part after the other, the last one first, on the thread of the caller.
class PartsInTurn : public Executor {
public:
    explicit PartsInTurn(std::size_t concurrency) : concurrency_(concurrency) {}
    std::size_t concurrency() const noexcept override { return concurrency_; }
    double least_nanoseconds() const noexcept override { return 0; }
    void parallel_for(std::size_t parts, ParallelTask task) noexcept override {
        ++calls_;
        while (parts != 0) {
            task(--parts);
        }
    }
    std::size_t calls() const noexcept { return calls_; }

private:
    std::size_t concurrency_;
    std::size_t calls_ = 0;
};

}  // namespace tenrex::differential
