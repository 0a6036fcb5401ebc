// Runs work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tenrex::tool {

// Calls work(thread, index) for each index below `count`; threads are numbered from 0 and take the next index when they
// are done with one. The first exception is thrown here when all have ended.
template <class Work>
void run_parallel(std::size_t threads, std::size_t count, const Work &work) {
    std::atomic<std::size_t> next = 0;
    std::mutex failing;
    std::exception_ptr failure;
    const auto run_thread = [&](std::size_t thread) noexcept {
        try {
            for (std::size_t index = next++; index < count; index = next++) {
                work(thread, index);
            }
        } catch (...) {
            const std::scoped_lock lock(failing);
            failure = std::current_exception();
            next = count;
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t thread = 1; thread < std::min(threads, count); ++thread) {
                others.emplace_back(run_thread, thread);
            }
        } catch (const std::system_error &) {
            // The machine gives no more threads: those that there are do the work.
        }
        run_thread(0);
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace tenrex::tool
