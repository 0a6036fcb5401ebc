// Hits between the phases.
#include <tenrex/ranking.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>

namespace tenrex {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(TopHits, AreTheSameInWhateverOrderDocumentsCome) {
    std::mt19937 random(1);
    std::vector<Hit> all;
    for (std::uint64_t document = 0; document < 500; ++document) {
        const auto kind = random() % 20;
        all.push_back({document, kind == 0   ? std::nan("")
                                 : kind == 1 ? -infinity
                                             : static_cast<double>(random() % 30)});
    }
    std::vector<Hit> sorted = all;
    std::sort(sorted.begin(), sorted.end(), ranks_before);
    for (const std::size_t most : {0U, 1U, 7U, 499U, 500U, 1000U}) {
        std::shuffle(all.begin(), all.end(), random);
        TopHits one(most), other(most);
        for (std::size_t i = 0; i < all.size(); ++i) {
            (i % 3 == 0 ? one : other).add(all[i].document, all[i].score);
        }
        one.merge(other);
        const std::vector<Hit> best = std::move(one).take();
        ASSERT_EQ(best.size(), std::min<std::size_t>(most, all.size()));
        for (std::size_t i = 0; i < best.size(); ++i) {
            EXPECT_EQ(best[i].document, sorted[i].document);
        }
    }
}

TEST(TopHits, NotANumberIsMinusInfinity) {
    EXPECT_TRUE(ranks_before({1, -infinity}, {2, std::nan("")}));
    EXPECT_TRUE(ranks_before({1, std::nan("")}, {2, -infinity}));
    EXPECT_FALSE(ranks_before({2, std::nan("")}, {1, -infinity}));
    EXPECT_TRUE(ranks_before({9, -1e308}, {1, std::nan("")}));
}

TEST(Rerank, LeavesOtherHitsWhereTheyAreBelow) {
    std::vector<Hit> hits{{1, 10}, {2, 9}, {3, 8}, {4, 7}};
    const double scores[] = {20, 30};
    rerank(hits, scores);
    EXPECT_THAT(hits, ElementsAre(Hit{2, 30}, Hit{1, 20}, Hit{3, 8}, Hit{4, 7}));
}

TEST(Rerank, ScalesOtherHitsBelow) {
    // old range 10 - 6 = 4, new range 2 - 0 = 2: scale 2/4, bias 0 - 6 * 0.5
    std::vector<Hit> hits{{1, 10}, {2, 6}, {3, 5}, {4, 4}};
    const double scores[] = {0, 2};
    rerank(hits, scores);
    EXPECT_THAT(hits, ElementsAre(Hit{2, 2}, Hit{1, 0}, Hit{3, -0.5}, Hit{4, -1}));
}

TEST(Rerank, RangesBelowOneCountAsOne) {
    std::vector<Hit> hits{{1, 10}, {2, 9.5}, {3, 9}};
    const double scores[] = {0.25, 0.5};
    rerank(hits, scores);
    EXPECT_THAT(hits, ElementsAre(Hit{2, 0.5}, Hit{1, 0.25}, Hit{3, -0.25}));
}

TEST(Rerank, ScoresThatAreNotFiniteDoNotSpoilTheOthers) {
    std::vector<Hit> hits{{1, 10}, {2, 9}, {3, 8}, {4, 7}};
    const double scores[] = {std::nan(""), 5, infinity};
    rerank(hits, scores);
    EXPECT_EQ(hits[0].document, 3U);
    EXPECT_EQ(hits[1], (Hit{2, 5}));
    // old range of the three 2, new range of the finite one 0: scale 1/2, bias 5 - 8 * 0.5
    EXPECT_EQ(hits[2], (Hit{4, 4.5}));
    EXPECT_EQ(hits[3].document, 1U);
}

TEST(Rerank, RoundsNoOtherHitAboveANewScore) {
    std::vector<Hit> hits{{0, 3}, {1, 0.3}, {2, 0.3}};
    const double scores[] = {-0.9, 2.5};
    rerank(hits, scores);
    EXPECT_THAT(hits, ElementsAre(Hit{1, 2.5}, Hit{0, -0.9}, Hit{2, -0.9}));
}

TEST(Rerank, HitsWithANewScoreComeFirstAmongEquals) {
    // The scores are equal after the move, and the numbers of the documents say otherwise.
    std::vector<Hit> hits{{5, 9}, {7, 2}, {6, 2}};
    const double scores[] = {1, 4};
    rerank(hits, scores);
    EXPECT_THAT(hits, ElementsAre(Hit{7, 4}, Hit{5, 1}, Hit{6, 1}));
    hits = {{1, 9}, {7, 2}, {3, 2}};
    const double same[] = {2, 4};
    rerank(hits, same);
    EXPECT_THAT(hits, ElementsAre(Hit{7, 4}, Hit{1, 2}, Hit{3, 2}));
}

TEST(Rerank, RangesBeyondTheLargestDouble) {
    constexpr double largest = std::numeric_limits<double>::max();
    std::vector<Hit> hits{{1, largest}, {2, 5}, {3, 5}, {4, 4}};
    const double wide[] = {largest, -largest};
    rerank(hits, wide);
    EXPECT_THAT(hits, ElementsAre(Hit{1, largest}, Hit{2, -largest}, Hit{3, -largest}, Hit{4, -largest}));
    hits = {{1, largest}, {2, -largest}, {3, -largest}, {4, -infinity}};
    const double narrow[] = {infinity, -infinity};
    rerank(hits, narrow);
    EXPECT_THAT(hits, ElementsAre(Hit{1, infinity}, Hit{3, -largest}, Hit{2, -infinity}, Hit{4, -infinity}));
}

// Scores of few digits tie; of many, they round; of any size, they leave the range of double.
double some_score(std::mt19937_64 &random) {
    const double number = std::uniform_real_distribution<double>(-1, 1)(random);
    switch (random() % 5) {
        case 0:
            return std::round(number * 3);
        case 1:
            return std::round(number * 30) / 10;
        case 2:
            return number * std::pow(10, std::uniform_int_distribution<int>(-320, 308)(random));
        case 3:
            return number * 1.7976931348623157e308;
        default:
            return number;
    }
}

TEST(Rerank, NoOtherHitPassesOneWithANewScore) {
    std::mt19937_64 random(1);
    for (int run = 0; run < 20000; ++run) {
        std::vector<Hit> hits;
        const std::size_t count = 1 + random() % 12;
        for (std::size_t i = 0; i < count; ++i) {
            hits.push_back({i, some_score(random)});
        }
        std::shuffle(hits.begin(), hits.end(), random);
        for (std::size_t i = 0; i < count; ++i) {
            hits[i].document = i;
        }
        std::sort(hits.begin(), hits.end(), ranks_before);
        const std::vector<Hit> before = hits;
        std::vector<double> scores;
        for (std::size_t i = random() % (count + 1); i > 0; --i) {
            scores.push_back(random() % 20 == 0 ? std::nan("") : some_score(random));
        }
        rerank(hits, scores);
        const auto place = [&](std::uint64_t document) {
            return std::find_if(hits.begin(), hits.end(), [&](const Hit &hit) { return hit.document == document; });
        };
        const bool all_new_are_numbers =
            !scores.empty() &&
            std::none_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); });
        for (std::size_t i = scores.size(); i < count; ++i) {
            ASSERT_FALSE(std::isnan(place(before[i].document)->score)) << run;
            if (i > scores.size()) {
                ASSERT_LT(place(before[i - 1].document), place(before[i].document)) << run;
            }
            for (std::size_t k = 0; k < scores.size(); ++k) {
                if (!std::isnan(scores[k]) && all_new_are_numbers) {
                    ASSERT_LT(place(before[k].document), place(before[i].document)) << run;
                    ASSERT_GE(scores[k], place(before[i].document)->score) << run;
                }
            }
        }
        for (std::size_t i = 1; i < count; ++i) {
            ASSERT_FALSE(hits[i - 1].score < hits[i].score) << run;
        }
    }
}

TEST(Rerank, OfNothing) {
    std::vector<Hit> none;
    rerank(none, {});
    EXPECT_TRUE(none.empty());
    std::vector<Hit> hits{{1, 2}, {2, 1}};
    rerank(hits, {});
    EXPECT_THAT(hits, ElementsAre(Hit{1, 2}, Hit{2, 1}));
}

TEST(NormalizeLinear, MapsTheRangeToZeroToOne) {
    EXPECT_THAT(normalize_linear(std::vector<double>{2, 4, 6}), ElementsAre(0, 0.5, 1));
    EXPECT_THAT(normalize_linear(std::vector<double>{3, 3}), ElementsAre(0.5, 0.5));
    EXPECT_THAT(normalize_linear({}), ElementsAre());
    const std::vector<double> odd = normalize_linear(std::vector<double>{0, 1, infinity, 1e39, std::nan("")});
    EXPECT_EQ(odd[0], 0);
    EXPECT_EQ(odd[1], 1);
    EXPECT_EQ(odd[2], infinity);
    EXPECT_GT(odd[3], 1e38);
    EXPECT_TRUE(std::isnan(odd[4]));
}

TEST(ReciprocalRank, CountsFromOne) {
    EXPECT_THAT(reciprocal_rank(std::vector<double>{5, 9, 7}, 0),
                ElementsAre(DoubleEq(1.0 / 3), DoubleEq(1), DoubleEq(0.5)));
    EXPECT_THAT(reciprocal_rank(std::vector<double>{1, std::nan(""), 1}),
                ElementsAre(DoubleEq(1.0 / 61), DoubleEq(1.0 / 63), DoubleEq(1.0 / 62)));
}

}  // namespace
}  // namespace tenrex
