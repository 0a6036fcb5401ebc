// Expressions that are written out, against ICU's.
#include "lib/text/pattern.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace tenrex::text {
namespace {

const std::string gpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
const std::string one_digit =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

std::string three_digits() {
    std::string result = one_digit;
    result.insert(result.find("\\p{N}| ?") + 5, "{1,3}");
    return result;
}

class Patterns : public testing::Test {
protected:
    Patterns() : document_(*Document::from_json("0")) {}
    JsonPart place() const { return {document_, 0}; }
    // The same for ICU, but not written out.
    std::unique_ptr<Pattern> by_icu(const std::string &expression) const {
        return make_regex("(?:" + expression + ")", place());
    }
    Document document_;
};

std::string random_text(std::mt19937 &random) {
    const char *const parts[] = {" ",  "  ",     "\n",     "\r\n", "\t", "\u00a0", "\u0085", "a",
                                 "Zq", "\u00e9", "\u017f", "'s",   "'S", "'",      "'l",     "'LL",
                                 "'r", "'ve",    "1",      "22",   "-",  "?!",     "\u0661", "\u4f60"};
    std::string text;
    for (std::size_t count = random() % 12; count > 0; --count) {
        text += parts[random() % std::size(parts)];
    }
    return text;
}

TEST_F(Patterns, ThatAreWrittenOutFindWhatIcuFinds) {
    std::mt19937 random(1);
    for (const std::string &expression : {gpt2, one_digit, three_digits()}) {
        const auto written = known_pattern(expression);
        ASSERT_NE(written, nullptr) << expression;
        const auto with_icu = by_icu(expression);
        for (int i = 0; i < 3000; ++i) {
            const std::string text = random_text(random);
            ASSERT_EQ(written->matches(text), with_icu->matches(text)) << '"' << text << '"';
        }
    }
}

TEST_F(Patterns, HaveAllWhiteSpace) {
    const auto pattern = by_icu("\\s+");
    EXPECT_EQ(pattern->matches("a\v\u0085\u2003b").size(), 1U);
    EXPECT_EQ(by_icu("[^\\s]")->matches("\v").size(), 0U);
    EXPECT_EQ(by_icu("\\\\s")->matches("\\s s").size(), 1U);
}

TEST_F(Patterns, EndInTime) {
    const auto pattern = by_icu("(a*)*b");
    EXPECT_THROW(pattern->matches(std::string(5000, 'a')), forest::Broken);
}

TEST_F(Patterns, ThatAreWrongAreErrors) {
    EXPECT_THROW(by_icu("(a"), forest::Broken);
    EXPECT_THROW(by_icu("[z-a]"), forest::Broken);
}

}  // namespace
}  // namespace tenrex::text
