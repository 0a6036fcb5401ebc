#include "tools/thread_pool.h"

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tools/processors.h"

namespace tenrex::tool {
namespace {

constexpr std::size_t many = 1024;

TEST(ThreadPool, HasNoMoreThreadsThanProcessors) {
    EXPECT_EQ(ThreadPool(1).concurrency(), 1U);
    EXPECT_LE(ThreadPool(many).concurrency(), usable_processors());
}

// What each call finds is what the calls before have written.
TEST(ThreadPool, RunsEachPartOnce) {
    ThreadPool pool(many);
    std::vector<std::size_t> runs(pool.concurrency());
    std::size_t total = 0;
    constexpr std::size_t calls = 20000;
    for (std::size_t call = 0; call < calls; ++call) {
        const std::size_t parts = call % (pool.concurrency() + 1);
        pool.parallel_for(parts, ParallelTask([&](std::size_t part) { ++runs[part]; }));
        total += parts;
    }
    EXPECT_EQ(std::accumulate(runs.begin(), runs.end(), std::size_t{0}), total);
}

TEST(ThreadPool, WakesThreadsThatSleep) {
    ThreadPool pool(many);
    for (int round = 0; round < 5; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::atomic<std::size_t> runs = 0;
        pool.parallel_for(pool.concurrency(), ParallelTask([&](std::size_t) { ++runs; }));
        EXPECT_EQ(runs, pool.concurrency());
    }
}

TEST(ThreadPool, ServesSeveralCallers) {
    ThreadPool pool(many);
    std::vector<std::size_t> sums(4);
    {
        std::vector<std::jthread> callers;
        for (std::size_t &sum : sums) {
            callers.emplace_back([&] {
                for (int call = 0; call < 2000; ++call) {
                    std::atomic<std::size_t> runs = 0;
                    pool.parallel_for(pool.concurrency(), ParallelTask([&](std::size_t) { ++runs; }));
                    sum += runs;
                }
            });
        }
    }
    EXPECT_EQ(sums, std::vector<std::size_t>(4, 2000 * pool.concurrency()));
}

}  // namespace
}  // namespace tenrex::tool
