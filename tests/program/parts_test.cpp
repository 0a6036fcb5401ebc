#include "lib/program/parts.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "tests/differential/executors.h"

namespace tenrex::program {
namespace {

struct Piece {
    std::size_t thread, first, count;
    friend bool operator==(const Piece &, const Piece &) = default;
};

// What the threads did, by the number of the thread.
std::vector<std::vector<Piece>> pieces_of(const Parts &parts) {
    std::vector<std::vector<Piece>> done(parts.threads());
    parts.run([&](std::size_t thread, std::size_t first, std::size_t count) {
        done[thread].push_back({thread, first, count});
    });
    return done;
}

Frame frame_of(Executor &executor) {
    Frame frame{};
    frame.executor = &executor;
    return frame;
}

TEST(PartsTest, each_item_is_in_one_piece_that_begins_at_a_multiple_of_the_grain) {
    for (const std::size_t threads : {2, 3, 7}) {
        differential::ThreadsForParts executor(threads);
        for (const std::size_t count : {2, 5, 16, 33, 128, 1001}) {
            for (const std::size_t grain : {1, 4, 32}) {
                const Parts parts(frame_of(executor), count, 1e6, grain);
                std::vector<std::size_t> times(count);
                for (const std::vector<Piece> &own : pieces_of(parts)) {
                    for (const Piece &piece : own) {
                        EXPECT_EQ(piece.first % grain, 0U);
                        for (std::size_t i = piece.first; i < piece.first + piece.count; ++i) {
                            ++times.at(i);
                        }
                    }
                }
                EXPECT_EQ(std::count(times.begin(), times.end(), 1U), static_cast<std::ptrdiff_t>(count))
                    << threads << " threads, " << count << " items, grain " << grain;
            }
        }
    }
}

// Steps that follow each other, with as many rows or more, give a thread about the same ones.
TEST(PartsTest, a_thread_begins_with_its_own_share) {
    class OnlyThePart : public differential::EagerExecutor {
    public:
        OnlyThePart(std::size_t concurrency, std::size_t part) : EagerExecutor(concurrency), part_(part) {}

    private:
        void run(std::size_t, ParallelTask task) noexcept override { task(part_); }
        std::size_t part_;
    };
    for (const std::size_t thread : {0, 1, 2, 3}) {
        OnlyThePart executor(4, thread);
        for (const std::size_t rows : {64, 128, 640}) {
            const auto done = pieces_of(Parts(frame_of(executor), rows, 1e6, 8));
            ASSERT_FALSE(done[thread].empty());
            EXPECT_EQ(done[thread].front().first, thread * rows / 4);
        }
    }
}

// It then does what others have not begun.
TEST(PartsTest, a_thread_that_is_alone_does_all) {
    differential::PartsInTurn executor(4);
    const auto done = pieces_of(Parts(frame_of(executor), 100, 1e6));
    ASSERT_EQ(done.size(), 4U);
    EXPECT_TRUE(done[0].empty() && done[1].empty() && done[2].empty());
    // Half of what is left at a time.
    ASSERT_GE(done[3].size(), 5U);
    const std::vector<Piece> own(done[3].begin(), done[3].begin() + 5);
    EXPECT_EQ(own, (std::vector<Piece>{{3, 75, 13}, {3, 88, 6}, {3, 94, 3}, {3, 97, 2}, {3, 99, 1}}));
    std::size_t items = 0;
    for (const Piece &piece : done[3]) {
        items += piece.count;
    }
    EXPECT_EQ(items, 100U);
}

TEST(PartsTest, short_work_is_not_shared) {
    class Patient : public differential::PartsInTurn {
    public:
        using PartsInTurn::PartsInTurn;
        double least_nanoseconds() const noexcept override { return 1000; }
    };
    Patient executor(4);
    EXPECT_EQ(Parts(frame_of(executor), 100, 19).threads(), 1U);
    EXPECT_EQ(Parts(frame_of(executor), 100, 20).threads(), 2U);
    EXPECT_EQ(Parts(frame_of(executor), 100, 40).threads(), 4U);
    EXPECT_EQ(Parts(frame_of(executor), 1, 1e6).threads(), 1U);
    EXPECT_EQ(Parts(Frame{}, 100, 1e6).threads(), 1U);
}

}  // namespace
}  // namespace tenrex::program
