// How much profiles may ask for: what is beyond it is refused early.
#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;

TEST(Limits, BoundWhatIsRead) {
    ExpressionOptions options;
    options.limits.expression_bytes = 20;
    const auto error = ProfileSet::parse("rank-profile test { }", {}, {}, options);
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().message(), "the file has 21 bytes, more than 20 (the limit is called expression_bytes)");
}

TEST(Limits, BoundHowDeepFunctionsCall) {
    std::string text = "rank-profile test {\nfunction f0() { expression: 1 }\n";
    for (int i = 1; i <= 2000; ++i) {
        text += "function f" + std::to_string(i) + "() { expression: f" + std::to_string(i - 1) + " + 1 }\n";
    }
    const auto error = compile_text(text + "first-phase { expression: f2000 }\n}");
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(),
                ::testing::HasSubstr("functions and expressions are nested more than 1000 levels"));
    EXPECT_TRUE(compile_text(text + "first-phase { expression: f100 }\n}"));
}

TEST(Limits, BoundHowMuchFunctionsBecome) {
    // Every call has other arguments.
    std::string text = "rank-profile test {\nfunction f0(x) { expression: x }\n";
    for (int i = 1; i <= 40; ++i) {
        const std::string before = "f" + std::to_string(i - 1);
        text +=
            "function f" + std::to_string(i) + "(x) { expression: " + before + "(x * 2) + " + before + "(x * 3) }\n";
    }
    ExpressionOptions options;
    options.limits.nodes = 10000;
    const auto set = ProfileSet::parse(text + "first-phase { expression: f40(1) }\n}", {}, {}, options);
    ASSERT_TRUE(set);
    const auto error = compile_profile(*set, "test");
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("arguments that they become more than 625 parts"));
}

// With the limits that hold if nobody asks for others: it took 30 seconds and two gigabytes.
TEST(Limits, RefuseEarlyWhatFewLinesBecome) {
    std::string text = "rank-profile test {\nfunction f0(x) { expression: x }\n";
    for (int i = 1; i <= 60; ++i) {
        const std::string before = "f" + std::to_string(i - 1);
        text += "function f" + std::to_string(i) + "(x) { expression: " + before + "(x+1)*" + before + "(x*2) }\n";
    }
    const auto error = compile_text(text + "first-phase { expression: f60(1) }\n}");
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("arguments that they become more than 1048576 parts"));
}

TEST(Limits, DoNotCountWhatIsWrittenAsRepeated) {
    constexpr std::size_t most_parts = 100000;
    std::string sum = "1";
    for (std::size_t i = 0; i < most_parts * 6 / 10; ++i) {
        sum += "+1";
    }
    ExpressionOptions options;
    options.limits.nodes = 16 * most_parts;
    const auto set = ProfileSet::parse(
        "rank-profile test {\nfunction f() { expression: " + sum + " }\nfirst-phase { expression: f }\n}", {}, {},
        options);
    ASSERT_TRUE(set);
    EXPECT_TRUE(compile_profile(*set, "test"));
}

// An argument of many parts that goes through many functions is computed, and printed, once.
TEST(Limits, LongArgumentsAreBoundOnce) {
    std::string sum = "attribute(a)";
    std::string uses = "x";
    for (int i = 0; i < 3000; ++i) {
        sum += "+attribute(a)";
        uses += "+x";
    }
    std::string text = "rank-profile test {\nfunction f0(x) { expression: " + uses + " }\n";
    for (int i = 1; i < 100; ++i) {
        text +=
            "function f" + std::to_string(i) + "(x) { expression: f" + std::to_string(i - 1) + "(x) + " + uses + " }\n";
    }
    ProfileOptions options;
    options.undeclared_attributes = true;
    EXPECT_EQ(
        testing::score(testing::compiled(text + "first-phase { expression: f99(" + sum + ") }\n}", "test", options),
                       {{"attribute(a)", "1"}}),
        3001.0 * 3001 * 100);
}

TEST(Limits, BoundWhatIsSplicedIntoLambdas) {
    std::string nested = "v";
    for (int i = 0; i < 60; ++i) {
        nested = "twice(" + nested + ")";
    }
    ExpressionOptions options;
    options.limits.nodes = 10000;
    const auto set = ProfileSet::parse(
        "rank-profile test {\nfunction twice(a) { expression: a + a }\n"
        "first-phase { expression: sum(map(tensor(x[1]):[1], f(v)(" +
            nested + "))) }\n}",
        {}, {}, options);
    ASSERT_TRUE(set);
    const auto error = compile_profile(*set, "test");
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("arguments that they become more than 625 parts"));
}

TEST(Limits, BoundHowDeepProfilesInherit) {
    std::string text = "rank-profile p0 { }\n";
    for (int i = 1; i <= 2000; ++i) {
        text += "rank-profile p" + std::to_string(i) + " inherits p" + std::to_string(i - 1) + " { }\n";
    }
    EXPECT_TRUE(compile_text(text, "p900"));
    const auto error = compile_text(text, "p2000");
    ASSERT_FALSE(error);
    EXPECT_THAT(error.error().message(), ::testing::HasSubstr("the profile inherits more than 1000 levels deep"));
}

}  // namespace
}  // namespace tenrex
