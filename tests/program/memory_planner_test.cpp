// Values that live at the same time share no memory, and the memory is not much more than what lives at a time.
#include "lib/program/memory_planner.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::program {
namespace {

constexpr std::size_t line = 64;

std::size_t in_lines(std::size_t bytes) {
    return (bytes + line - 1) / line * line;
}

// Bytes of the values that live at the step where those are most: nobody needs less.
std::size_t peak(const std::vector<PlannedCells> &planned, std::size_t documents) {
    std::vector<std::pair<std::size_t, std::int64_t>> changes;  // by step
    for (const PlannedCells &cells : planned) {
        const auto bytes = static_cast<std::int64_t>(in_lines(cells.bytes * documents));
        changes.emplace_back(cells.first_step, bytes);
        changes.emplace_back(std::max(cells.first_step, cells.last_step) + 1, -bytes);
    }
    std::sort(changes.begin(), changes.end());
    std::int64_t now = 0;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        now += changes[i].second;
        if (i + 1 == changes.size() || changes[i + 1].first != changes[i].first) {
            most = std::max(most, now);
        }
    }
    return static_cast<std::size_t>(most);
}

// Every pair is looked at.
std::string wrong_place(const std::vector<PlannedCells> &planned, std::size_t documents, std::size_t total) {
    for (std::size_t i = 0; i < planned.size(); ++i) {
        const PlannedCells &a = planned[i];
        if (a.offset % line != 0) {
            return "value " + std::to_string(i) + " does not begin with a line of the cache";
        }
        if (a.offset + a.bytes * documents > total) {
            return "value " + std::to_string(i) + " ends behind the memory";
        }
        for (std::size_t j = 0; j < i; ++j) {
            const PlannedCells &b = planned[j];
            const bool live_together = a.first_step <= std::max(b.first_step, b.last_step) &&
                                       b.first_step <= std::max(a.first_step, a.last_step);
            const bool share = a.offset < b.offset + b.bytes * documents && b.offset < a.offset + a.bytes * documents;
            if (live_together && share) {
                return "values " + std::to_string(i) + " and " + std::to_string(j) + " share memory";
            }
        }
    }
    return "";
}

struct Shape {
    std::size_t values;
    std::size_t most_steps;  // that a value lives
    std::size_t most_bytes;
};

std::vector<PlannedCells> random_values(const Shape &shape, std::mt19937_64 &random) {
    std::vector<PlannedCells> planned;
    for (std::size_t i = 0; i < shape.values; ++i) {
        PlannedCells cells;
        cells.number = static_cast<std::uint32_t>(i);
        // Steps make some values together, and not in the order of the list.
        cells.first_step = i / 2 + random() % 3;
        cells.last_step = cells.first_step + random() % shape.most_steps;
        // Most values are small: single cells.
        cells.bytes = random() % 3 != 0 ? 8 * (random() % 4) : random() % shape.most_bytes;
        planned.push_back(cells);
    }
    return planned;
}

TEST(MemoryPlanner, ValuesThatLiveTogetherShareNoMemory) {
    std::mt19937_64 random(1);
    const Shape shapes[] = {{1, 1, 100},       {2, 2, 1000},      {10, 3, 1000},        {100, 10, 100},
                            {500, 1000, 5000}, {600, 1000, 5000}, {1000, 2000, 200000}, {2500, 100, 1000000},
                            {2500, 5000, 64},  {2500, 700, 4000}, {2500, 1, 1000}};
    for (const Shape &shape : shapes) {
        for (const std::size_t documents : {1, 3, 64}) {
            std::vector<PlannedCells> planned = random_values(shape, random);
            const std::size_t total = lay_out_by_lifetime(planned, documents);
            ASSERT_EQ(wrong_place(planned, documents, total), "")
                << shape.values << " values of up to " << shape.most_steps << " steps, " << documents << " documents";
            const std::size_t least = peak(planned, documents);
            EXPECT_GE(total, least);
            EXPECT_LE(total, least + least / 2)
                << shape.values << " values of up to " << shape.most_steps << " steps, " << documents << " documents";
        }
    }
}

// What lives while many others come and go stays where it is.
TEST(MemoryPlanner, LargeValuesBesideHundredsThatStay) {
    std::vector<PlannedCells> planned;
    for (std::size_t i = 0; i < 600; ++i) {
        planned.push_back({static_cast<std::uint32_t>(i), 8, i, i < 512 ? std::size_t{600} : 700, 0});
    }
    planned.push_back({600, 131072, 601, 602, 0});
    planned.push_back({601, 131072, 602, 603, 0});
    const std::size_t total = lay_out_by_lifetime(planned, 1);
    EXPECT_EQ(wrong_place(planned, 1, total), "");
    EXPECT_EQ(total, 600 * line + 2 * 131072);  // they do not fit where the first 512 were
}

TEST(MemoryPlanner, MemoryIsUsedAgain) {
    std::vector<PlannedCells> chain;
    for (std::size_t i = 0; i < 1000; ++i) {
        chain.push_back({static_cast<std::uint32_t>(i), 640, i, i + 1, 0});
    }
    EXPECT_EQ(lay_out_by_lifetime(chain, 1), 2 * 640);
    EXPECT_EQ(lay_out_by_lifetime(chain, 10), 2 * 6400);
    // Neighbours that are free become one gap.
    std::vector<PlannedCells> joined = {
        {0, 64, 0, 3, 0}, {1, 64, 0, 1, 0}, {2, 64, 0, 2, 0}, {3, 64, 0, 9, 0}, {4, 192, 4, 9, 0}};
    EXPECT_EQ(lay_out_by_lifetime(joined, 1), 256);
    EXPECT_EQ(joined[4].offset, 0);
}

// Half of the values leave gaps into which none of the others fits: the time must not grow with the square.
TEST(MemoryPlanner, ManyGapsCostLittle) {
    constexpr std::size_t pairs = 200000;
    std::vector<PlannedCells> planned;
    for (std::size_t i = 0; i < pairs; ++i) {
        planned.push_back({0, 64, i, i % 2 == 0 ? i : 3 * pairs, 0});
    }
    for (std::size_t i = 0; i < pairs; ++i) {
        planned.push_back({0, 128, pairs + i, 3 * pairs, 0});
    }
    EXPECT_LE(lay_out_by_lifetime(planned, 1), 2 * pairs * 128);
    EXPECT_EQ(lay_out_for_good(planned), pairs * 192);
}

TEST(MemoryPlanner, NothingNeedsNothing) {
    std::vector<PlannedCells> planned;
    EXPECT_EQ(lay_out_by_lifetime(planned, 64), 0);
    EXPECT_EQ(lay_out_for_good(planned), 0);
    planned.push_back({0, 0, 0, 5, 0});
    planned.push_back({1, 8, 0, 5, 0});
    planned.push_back({2, 0, 1, 5, 0});
    EXPECT_EQ(lay_out_by_lifetime(planned, 1), line);
}

// Values with buffers: as many of these as values live at a time, and none is shared by values that do.
TEST(MemoryPlanner, BuffersAreSharedByValuesThatDoNotLiveTogether) {
    std::mt19937_64 random(1);
    for (const Shape &shape : {Shape{1, 1, 100}, Shape{10, 3, 1000}, Shape{300, 10, 100}, Shape{500, 1000, 5000}}) {
        std::vector<BufferedCells> buffered;
        std::vector<PlannedCells> lives = random_values(shape, random);
        for (PlannedCells &cells : lives) {
            buffered.push_back({cells.number, cells.bytes, cells.first_step, cells.last_step, 0});
            cells.bytes = 1;
        }
        const std::size_t count = share_buffers(buffered);
        EXPECT_EQ(count * line, peak(lives, 1));
        for (std::size_t i = 0; i < lives.size(); ++i) {
            lives[i].offset = buffered[i].buffer * line;
        }
        EXPECT_EQ(wrong_place(lives, 1, count * line), "");
    }
}

TEST(MemoryPlanner, BuffersAreChosenBySize) {
    std::vector<BufferedCells> buffered = {{0, 100, 0, 1, 0}, {1, 400, 0, 1, 0}, {2, 10, 0, 1, 0},
                                           {3, 100, 2, 3, 0}, {4, 300, 2, 3, 0}, {5, 500, 2, 3, 0}};
    EXPECT_EQ(share_buffers(buffered), 3);
    EXPECT_EQ(buffered[3].buffer, buffered[0].buffer);
    EXPECT_EQ(buffered[4].buffer, buffered[1].buffer);
    EXPECT_EQ(buffered[5].buffer, buffered[2].buffer);  // which grows
    std::vector<BufferedCells> none;
    EXPECT_EQ(share_buffers(none), 0);
}

TEST(MemoryPlanner, SizesThatCannotBeCounted) {
    const std::size_t half = uncountable_bytes / 2;
    for (const std::vector<PlannedCells> &hostile : {std::vector<PlannedCells>{{0, half + 1, 0, 9, 0}},
                                                     std::vector<PlannedCells>{{0, half, 0, 9, 0}, {1, half, 1, 9, 0}},
                                                     std::vector<PlannedCells>{{0, uncountable_bytes - 1, 0, 9, 0}}}) {
        std::vector<PlannedCells> planned = hostile;
        EXPECT_EQ(lay_out_by_lifetime(planned, 2), uncountable_bytes);
    }
    std::vector<PlannedCells> planned = {{0, half, 0, 1, 0}, {1, half, 1, 2, 0}, {2, 8, 2, 3, 0}};
    EXPECT_EQ(lay_out_for_good(planned), uncountable_bytes);
}

}  // namespace
}  // namespace tenrex::program
