#include "lib/support/diagnostics.h"

#include <gtest/gtest.h>

#include <tenrex/result.h>

namespace tenrex {
namespace {

Issue only_issue(std::string_view source, Span span) {
    Diagnostics diagnostics(source);
    diagnostics.error(span, "message", "hint");
    std::vector<Issue> issues = diagnostics.take();
    EXPECT_EQ(issues.size(), 1u);
    return issues.at(0);
}

TEST(Diagnostics, FindsLineAndColumn) {
    const Issue issue = only_issue("a +\n  b * c\n", {6, 7});
    EXPECT_EQ(issue.line, 2u);
    EXPECT_EQ(issue.column, 3u);
    EXPECT_EQ(issue.excerpt, "  b * c");
    EXPECT_EQ(issue.caret, 2u);
    EXPECT_EQ(issue.caret_length, 1u);
}

TEST(Diagnostics, CountsCodePointsNotBytes) {
    const Issue issue = only_issue("\xC3\xBC\xC3\xAF+x", {5, 6});
    EXPECT_EQ(issue.column, 4u);
    EXPECT_EQ(issue.caret, 3u);
}

TEST(Diagnostics, ClipsLongLinesAroundTheSpan) {
    const std::string source = std::string(1000, 'a') + "!!" + std::string(1000, 'b');
    const Issue issue = only_issue(source, {1000, 1002});
    EXPECT_EQ(issue.column, 1001u);
    EXPECT_LT(issue.excerpt.size(), 140u);
    EXPECT_EQ(issue.excerpt.substr(issue.caret, issue.caret_length), "!!");
    EXPECT_EQ(issue.excerpt.substr(0, 4), "...a");
    EXPECT_EQ(issue.excerpt.substr(issue.excerpt.size() - 4), "b...");
}

TEST(Diagnostics, AClippedLineOfAnyBytesKeepsTheCaretInside) {
    const std::string source(500, '\x80');
    const Issue issue = only_issue(source, {250, 260});
    EXPECT_GE(issue.caret_length, 1u);
    EXPECT_LE(issue.caret, issue.excerpt.size());
}

TEST(Diagnostics, ShowsControlCharactersAsSpaces) {
    EXPECT_EQ(only_issue("a\tb\x1b[31m\x7f", {0, 1}).excerpt, "a b [31m ");
}

TEST(Diagnostics, ASpanOverSeveralLinesIsMarkedOnItsFirstLine) {
    const Issue issue = only_issue("if(a,\n1,\n2", {0, 10});
    EXPECT_EQ(issue.excerpt, "if(a,");
    EXPECT_EQ(issue.caret_length, 5u);
}

TEST(Diagnostics, AnEmptySpanAndAnEmptyTextStillHaveACaret) {
    EXPECT_EQ(only_issue("abc", {3, 3}).caret_length, 1u);
    EXPECT_EQ(only_issue("", {0, 0}).caret_length, 1u);
    EXPECT_EQ(only_issue("abc", {100, 200}).column, 4u);
}

TEST(Diagnostics, SortsByPositionAndKeepsTheOrderOfEqualOnes) {
    Diagnostics diagnostics("abcdef");
    diagnostics.error({4, 5}, "late");
    diagnostics.warning({1, 2}, "first");
    diagnostics.error({1, 3}, "second");
    const std::vector<Issue> issues = diagnostics.take();
    ASSERT_EQ(issues.size(), 3u);
    EXPECT_EQ(issues[0].message, "first");
    EXPECT_EQ(issues[1].message, "second");
    EXPECT_EQ(issues[2].message, "late");
}

TEST(Diagnostics, StopsAtTheLimitButNeverLosesTheFirstError) {
    Limits limits;
    limits.issues = 2;
    Diagnostics diagnostics("abc", limits);
    for (int i = 0; i < 5; ++i) {
        diagnostics.warning({0, 1}, "warning");
    }
    EXPECT_FALSE(diagnostics.has_errors());
    diagnostics.error({1, 2}, "error");
    diagnostics.error({1, 2}, "one too many");
    EXPECT_TRUE(diagnostics.has_errors());
    const std::vector<Issue> issues = diagnostics.take();
    ASSERT_EQ(issues.size(), 3u);
    EXPECT_EQ(issues[2].message, "error");
}

TEST(Error, RendersPositionExcerptCaretAndHint) {
    Diagnostics diagnostics("sum(a*foo)");
    diagnostics.error({6, 9}, "unknown input 'foo'", "did you mean 'fool'?");
    Error error = diagnostics.take_error();
    EXPECT_EQ(error.render(),
              "1:7: error: unknown input 'foo'\n"
              "  sum(a*foo)\n"
              "        ^~~\n"
              "  hint: did you mean 'fool'?\n");
    EXPECT_EQ(error.message(), "1:7: unknown input 'foo' (did you mean 'fool'?)");
    error.set_source_name("query.txt");
    EXPECT_EQ(error.message(), "query.txt:1:7: unknown input 'foo' (did you mean 'fool'?)");
    EXPECT_NE(error.render({.color = true}).find("\x1b[1;31merror:\x1b[0m"), std::string::npos);
}

TEST(Error, WithoutAPositionShowsOnlyTheMessage) {
    const Error error("cannot read 'x.json'", "does the file exist?");
    EXPECT_EQ(error.message(), "cannot read 'x.json' (does the file exist?)");
    EXPECT_EQ(error.render(), "error: cannot read 'x.json'\n  hint: does the file exist?\n");
}

TEST(Error, MessageIsAboutTheFirstErrorNotAWarning) {
    Diagnostics diagnostics("abc");
    diagnostics.warning({0, 1}, "odd");
    diagnostics.error({1, 2}, "wrong");
    EXPECT_EQ(diagnostics.take_error().message(), "1:2: wrong");
}

TEST(Error, IsIncompleteOnlyIfEveryErrorIsAtTheEnd) {
    Diagnostics open("(a");
    open.error_at_end("expected ')'");
    EXPECT_TRUE(open.take_error().incomplete());
    Diagnostics mixed("(a");
    mixed.error({1, 2}, "wrong");
    mixed.error_at_end("expected ')'");
    EXPECT_FALSE(mixed.take_error().incomplete());
    EXPECT_FALSE(Error("no file").incomplete());
}

TEST(Result, HoldsAValueOrAnError) {
    const Result<int> value = 3;
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, 3);
    const Result<int> failure = Error("no");
    ASSERT_FALSE(failure);
    EXPECT_EQ(failure.error().message(), "no");
    EXPECT_TRUE(Status());
    EXPECT_FALSE(Status(Error("no")));
}

}  // namespace
}  // namespace tenrex
