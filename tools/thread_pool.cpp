#include "tools/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "tools/processors.h"

namespace tenrex::tool {

namespace {

constexpr std::uint64_t next_task = std::uint64_t{1} << 16U;
constexpr std::uint64_t parts_of_state = next_task - 1;

// What stands between two shared steps of a plan takes less. Whoever sleeps is late: it takes up to 50 us to wake.
constexpr std::chrono::microseconds patience(200);

void pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Waits for a while until is_there(); whether it came to be.
template <class Condition>
bool wait_briefly(const Condition &is_there) noexcept {
    constexpr int looks = 64;  // from one reading of the clock to the next
    for (const auto end = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < end;) {
        for (int i = 0; i < looks; ++i) {
            if (is_there()) {
                return true;
            }
            pause();
        }
    }
    return false;
}

}  // namespace

ThreadPool::ThreadPool(std::size_t threads) {
    try {
        for (std::size_t i = 1; i < std::min(threads, usable_processors()); ++i) {
            threads_.emplace_back([this] { work(); });
        }
    } catch (const std::exception &) {
        return;  // fewer threads take longer
    }
}

ThreadPool::~ThreadPool() {
    ends_ = true;
    state_ += next_task;
    state_.notify_all();
}

bool ThreadPool::run_part(std::uint64_t seen) noexcept {
    // The task is there until this part is finished, too, and so is its number.
    if (!state_.compare_exchange_strong(seen, seen - 1, std::memory_order_acq_rel)) {
        return false;
    }
    (*task_)(static_cast<std::size_t>((seen & parts_of_state) - 1));
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        unfinished_.notify_one();
    }
    return true;
}

void ThreadPool::work() noexcept {
    while (!ends_) {
        std::uint64_t seen = 0;
        const auto has_parts = [&] {
            seen = state_.load(std::memory_order_acquire);
            return (seen & parts_of_state) != 0;
        };
        if (has_parts() || wait_briefly(has_parts)) {
            run_part(seen);
        } else if (!ends_) {
            state_.wait(seen, std::memory_order_acquire);
        }
    }
}

void ThreadPool::parallel_for(std::size_t parts, ParallelTask task) noexcept {
    if (parts < 2 || threads_.empty() || is_busy_.test_and_set(std::memory_order_acquire)) {
        for (std::size_t part = 0; part < parts; ++part) {
            task(part);
        }
        return;
    }
    task_ = &task;
    unfinished_.store(static_cast<std::uint32_t>(parts), std::memory_order_relaxed);
    const std::uint64_t before = state_.load(std::memory_order_relaxed);
    state_.store(before + next_task + parts, std::memory_order_release);
    state_.notify_all();
    for (std::uint64_t seen = 0; ((seen = state_.load(std::memory_order_acquire)) & parts_of_state) != 0;) {
        run_part(seen);
    }
    const auto is_done = [&] { return unfinished_.load(std::memory_order_acquire) == 0; };
    if (!is_done() && !wait_briefly(is_done)) {
        for (std::uint32_t left = 0; (left = unfinished_.load(std::memory_order_acquire)) != 0;) {
            unfinished_.wait(left, std::memory_order_acquire);
        }
    }
    is_busy_.clear(std::memory_order_release);
}

}  // namespace tenrex::tool
