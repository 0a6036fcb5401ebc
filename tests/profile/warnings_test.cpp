// Settings without effect: each is named with its line, and the profile compiles all the same.
#include <gtest/gtest.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

TEST(Warnings, UnknownSettingsAreSkipped) {
    const auto set = ProfileSet::parse(R"(rank-profile test {
    num-threads-per-search: 4
    match-phase {
        attribute: price   # { braces { in comments
        max-hits: 1000
    }
    rank title: filter
    rank-propertys { a: b }
    first-phase {
        expression: 1
        keep-rank-count: 100
        rerank-count: 7
        rank-score-droplimit: 3
    }
    onnx-model m { file: m.onnx }
    rank-properties { bm25(title).k1: 2 }
}
)",
                                       "test.profile");
    ASSERT_TRUE(set);
    std::string all;
    for (const Issue &issue : set->warnings()) {
        all +=
            std::to_string(issue.line) + ": " + issue.message + (issue.hint.empty() ? "" : " | " + issue.hint) + "\n";
        EXPECT_EQ(issue.severity, Severity::warning);
    }
    EXPECT_EQ(all, R"(2: num-threads-per-search has no effect here and is skipped
3: match-phase has no effect here and is skipped
7: rank has no effect here and is skipped
8: unknown setting 'rank-propertys' of rank-profile test is skipped | did you mean 'rank-properties'?
11: keep-rank-count has no effect here and is skipped
12: rerank-count has no effect here: the first phase scores every match
13: unknown setting 'rank-score-droplimit' of first-phase is skipped | did you mean 'rank-score-drop-limit'?
)");
    const auto profile = compile_profile(*set, "test");
    ASSERT_TRUE(profile);
    ASSERT_EQ(profile->warnings().size(), 2U);
    EXPECT_EQ(profile->warnings()[0].message, "onnx-model m is skipped: nobody reads ONNX models here");
    EXPECT_EQ(profile->warnings()[0].line, 15U);
    EXPECT_EQ(profile->warnings()[1].message, "the property bm25(title).k1 has no effect here");
    EXPECT_EQ(profile->warnings()[1].line, 16U);
}

TEST(Warnings, AreNotOfPropertiesOfFeaturesThatAreUsed) {
    ProfileOptions options;
    options.features = {{"bm25(title)"}, {"bm25(body)"}};
    const auto compiled_with = [&](const std::string &properties) {
        return testing::compile_text(testing::profile_of("bm25(title)", "rank-properties {\n" + properties + "\n}"),
                                     "test", options);
    };
    const auto tuned = compiled_with("bm25( title ).k1: 0\nbm25(title).averageFieldLength: \"7.5\"");
    ASSERT_TRUE(tuned);
    EXPECT_TRUE(tuned->warnings().empty());
    ASSERT_EQ(tuned->feature_properties().size(), 2U);
    EXPECT_EQ(tuned->feature_properties()[0].name, "bm25(title).k1");
    EXPECT_EQ(tuned->feature_properties()[1].value, "7.5");
    const auto skipped = compiled_with("bm25(body).b: soon\nbm25(title).k2: 1\nnativeRank.fieldMatchWeight: 2");
    ASSERT_TRUE(skipped);
    EXPECT_EQ(skipped->warnings().size(), 3U);
    EXPECT_EQ(skipped->feature_properties().size(), 3U);
    for (const std::string wrong : {"bm25(title).k1: soon", "bm25(title).b: -1", "bm25(title).averageFieldLength: 0"}) {
        const auto refused = compiled_with(wrong);
        ASSERT_FALSE(refused) << wrong;
        EXPECT_EQ(refused.error().issues().front().line, 3U);
        EXPECT_NE(refused.error().message().find("must be a number"), std::string::npos);
    }
}

}  // namespace
}  // namespace tenrex
