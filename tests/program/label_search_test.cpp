// Labels are found among others, in order or not.
#include "lib/program/sparse/label_search.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::program {
namespace {

TEST(FindLabel, FindsEachLabelAndNoOther) {
    std::mt19937_64 random(2);
    for (std::size_t count = 0; count < 70; ++count) {
        std::vector<Label> labels;
        for (std::uint64_t i = 0; i < count; ++i) {
            // Numbers and ids of texts; the one after each is another.
            labels.push_back(Label{(i % 2 == 0 ? std::uint64_t{1} << 63 : 0) + 2 * i + 1});
        }
        for (const bool sorted : {false, true}) {
            std::shuffle(labels.begin(), labels.end(), random);
            if (sorted) {
                std::sort(labels.begin(), labels.end());
            }
            for (std::size_t i = 0; i < count; ++i) {
                EXPECT_EQ(find_label(labels.data(), count, labels[i], sorted), i);
                const Label other{static_cast<std::uint64_t>(labels[i]) + 1};
                EXPECT_EQ(find_label(labels.data(), count, other, sorted), count);
            }
            EXPECT_EQ(find_label(labels.data(), count, Label{0}, sorted), count);
            EXPECT_EQ(find_label(labels.data(), count, Label{~std::uint64_t{0}}, sorted), count);
        }
    }
}

TEST(SearchSorted, NumbersInARow) {
    for (const std::uint64_t lowest : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{1} << 63}) {
        std::vector<Label> labels;
        for (std::uint64_t i = 0; i < 20; ++i) {
            labels.push_back(Label{lowest + i});
        }
        for (std::uint64_t wanted = 0; wanted < 40; ++wanted) {
            for (const std::uint64_t base : {std::uint64_t{0}, lowest, ~std::uint64_t{0} - 60}) {
                const Label label{base + wanted};
                const bool is_there = label >= labels.front() && label <= labels.back();
                const std::size_t expected =
                    is_there ? static_cast<std::size_t>(static_cast<std::uint64_t>(label) - lowest) : labels.size();
                EXPECT_EQ(find_label(labels.data(), labels.size(), label, true), expected);
            }
        }
    }
}

TEST(SearchSorted, LanesDoNotDisturbEachOther) {
    std::vector<Label> labels;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        labels.push_back(Label{i * i});
    }
    std::mt19937_64 random(3);
    for (int turn = 0; turn < 100; ++turn) {
        std::vector<Label> wanted;
        for (int lane = 0; lane < 8; ++lane) {
            wanted.push_back(Label{random() % (turn % 2 == 0 ? 1'000'000 : 100)});
        }
        const std::size_t count = 1 + random() % 1000;
        const auto found = search_sorted<8>(labels.data(), count, wanted.data());
        for (std::size_t lane = 0; lane < 8; ++lane) {
            const auto end = labels.begin() + static_cast<std::ptrdiff_t>(count);
            const bool is_there = std::binary_search(labels.begin(), end, wanted[lane]);
            ASSERT_LT(found[lane], count);
            EXPECT_EQ(labels[found[lane]] == wanted[lane], is_there);
        }
    }
}

}  // namespace
}  // namespace tenrex::program
