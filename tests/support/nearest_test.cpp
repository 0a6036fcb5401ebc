#include <array>

#include <gtest/gtest.h>

#include "lib/support/diagnostics.h"

namespace tenrex {
namespace {

constexpr std::array<std::string_view, 8> names{"softmax", "sigmoid", "sum",          "sqrt",
                                                "x",       "y",       "embedding_v1", "attribute(embedding)"};

struct Case {
    std::string_view name, expected;
};

class Nearest : public testing::TestWithParam<Case> {};

TEST_P(Nearest, Suggests) {
    EXPECT_EQ(nearest(GetParam().name, names), GetParam().expected) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(Names, Nearest,
                         testing::Values(Case{"sofmax", "softmax"}, Case{"softmxa", "softmax"}, Case{"SUM", "sum"},
                                         Case{"sun", "sum"}, Case{"squrt", "sqrt"}, Case{"embeding_v1", "embedding_v1"},
                                         Case{"attribute(embeding)", "attribute(embedding)"}, Case{"X", "x"},
                                         Case{"z", ""}, Case{"banana", ""}, Case{"", ""}, Case{"sum", ""},
                                         Case{"price", ""}));

TEST(NearestOfLongNames, GivesUpInsteadOfTakingLong) {
    const std::string name(100000, 'a');
    const std::string near = name + "b";
    const std::array<std::string_view, 1> candidates{near};
    EXPECT_EQ(nearest(name, candidates), "");
}

}  // namespace
}  // namespace tenrex
