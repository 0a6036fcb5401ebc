// Regular expressions as programs, what is left to ICU, and what takes too long.
#include "lib/text/pattern.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace tenrex::text {
namespace {

const std::string gpt2_pieces = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

class Patterns : public testing::Test {
protected:
    Patterns() : document_(*Document::from_json("0")) {}
    JsonPart place() const { return {document_, 0}; }
    std::unique_ptr<Pattern> by_icu(const std::string &expression) const { return make_icu_regex(expression, place()); }

    // The matches as texts with bars between them.
    static std::string found(const std::string &expression, std::string_view text) {
        const auto pattern = make_program_regex(expression);
        if (!pattern) {
            return "no program";
        }
        std::string result;
        for (const TextRange match : pattern->matches(text)) {
            result += result.empty() ? "" : "|";
            result += text.substr(match.begin, match.end - match.begin);
        }
        return result;
    }

    Document document_;
};

struct ExpectedMatches {
    const char *expression;
    const char *text;
    const char *matches;
};

TEST_F(Patterns, FindTheFirstAlternativeAndTheLongestRun) {
    for (const auto &[expression, text, matches] : std::vector<ExpectedMatches>{
             {"a|ab", "abab", "a|a"},
             {"ab|a", "abaab", "ab|a|ab"},
             {"a+", "aa b aaa", "aa|aaa"},
             {"a*", "aa b", "aa"},
             {"a*|b", "b", ""},  // nothing is found before b, and then b is left behind
             {"a?b", "aab b", "ab|b"},
             {"a{2}", "aaaaa", "aa|aa"},
             {"a{1,3}", "aaaaa", "aaa|aa"},
             {"a{2,}", "a aa aaaa", "aa|aaaa"},
             {"a*ab", "aaab", "aaab"},
             {"a*a{2}b", "aaab ab", "aaab"},
             {"a++ab", "aaab", ""},
             {"a?+ab", "aab", "aab"},
             {"a?+ab", "ab", ""},
             {"x(?:a|ab)c", "xabc xac", "xabc|xac"},
             {"x(a+|b)?c", "xaac xc xbc", "xaac|xc|xbc"},
             {"(?:a|b(?:c|d)?)e", "ae be bce bde", "ae|be|bce|bde"},
             {"x(?:)y", "xy", "xy"},
             {"a|", "ba", "a"},
             {"", "ba", ""},
         }) {
        EXPECT_EQ(found(expression, text), matches) << expression;
    }
}

TEST_F(Patterns, LookAhead) {
    EXPECT_EQ(found(R"(\s+(?!\S))", "a  b "), " | ");
    EXPECT_EQ(found(R"(a+(?=b))", "aab aa"), "aa");
    EXPECT_EQ(found(R"(a(?!b|cd).?)", "a"), "no program");
    EXPECT_EQ(found(R"(a(?!b|cd))", "ab acd ace a"), "a|a");
    EXPECT_EQ(found(R"((?=a)[a-c]+)", "bcabc"), "abc");
    EXPECT_EQ(found(R"((?!a))", "bab"), "");
}

TEST_F(Patterns, Sets) {
    for (const auto &[expression, text, matches] : std::vector<ExpectedMatches>{
             {R"([a-c\-]+)", "ab-d", "ab-"},
             {R"([-a]+)", "-a-b", "-a-"},
             {R"([a-]+)", "-a-b", "-a-"},
             {R"([^a-c]+)", "abxyéc", "xyé"},
             {R"([\r\n\t/|]+)", "a\r\n\t/|", "\r\n\t/|"},
             {R"([\u00e9\x{4f60}]+)", "aé你b", "é你"},
             {R"([一-龥]+)", "a你好b", "你好"},
             {R"(\x41\.)", "A.AB", "A."},
             {R"(\p{Lu}\p{Ll}+)", "Été été Ab", "Été|Ab"},
             {R"(\P{L}+)", "ab12é3", "12|3"},
             {R"([^\P{L}a]+)", "abé1", "bé"},
             {R"([\S]+)", "a\u0085b\v", "a|b"},
             {R"([\S\n]+)", "a \nb", "a|\nb"},
             {R"([\s\S]+)", "a 你", "a 你"},
             {R"([^\s\S]+)", "a 你", ""},
             {R"(\W+)", "a_1 -你!", " -|!"},
             {R"(\d+)", "12\u0661\u00bd", "12\u0661"},
             {R"(\D+)", "1a\u0661", "a"},
             {R"(\s+)", "a\v\u0085\u2003b\u180e\u200b", "\v\u0085\u2003"},
         }) {
        EXPECT_EQ(found(expression, text), matches) << expression;
    }
}

TEST_F(Patterns, AnyCaseIsThatOfUnicode) {
    EXPECT_EQ(found("(?i:'s|'re)", "'s 'S '\u017f 'Re 'RE"), "'s|'S|'\u017f|'Re|'RE");
    EXPECT_EQ(found("'(?i:[k-m]|ve)", "'K '\u212a 'VE 'v"), "'K|'\u212a|'VE");
    EXPECT_EQ(found("(?i:a)b", "Ab AB"), "Ab");
}

TEST_F(Patterns, HaveCharactersOfAnyLength) {
    EXPECT_EQ(found(gpt2_pieces, "ab 12\u4f60\U0001f600  x'll"), "ab| 12|\u4f60|\U0001f600| | x|'ll");
    EXPECT_EQ(found(gpt2_pieces, std::string_view("a\0\0b", 4)), (std::string{"a|\0\0|b", 6}));
}

TEST_F(Patterns, LeaveToIcuWhatProgramsDoNotHave) {
    for (const char *expression : {
             "a+?",
             "a??",
             "(?:ab)+",
             "(ab)*",
             "(?:a)??",
             "(?:a)?+",
             "(?i)a",
             "(?>a)",
             "(?<n>a)",
             "(?<=a)b",
             "^a",
             "a$",
             ".",
             "\\bx",
             "\\Ax",
             "(a)\\1",
             "[a[b]]",
             "[a&&b]",
             "[a--b]",
             "[a-b-c]",
             "[a-\\d]",
             "[[:alpha:]]",
             "[\\b]",
             "\\R",
             "\\h",
             "\\X",
             "\\p{Han}",
             "\\pL",
             "\\p{^L}",
             "\\p{}",
             "\\N{DIGIT ONE}",
             "a{1,3}+",
             "a{0}",
             "a{2001}",
             "(?i:ss)",
             "(?i:FI)",
             "(?i:\u00e9)",
             "(?i:[^s])",
             "(?i:\\w)",
             "\\ud83d",
             "\\u12",
             "\\x{110000}",
             "\\x{}",
             "\\x{1",
             "a**",
             // What is wrong is for ICU to tell.
             "(a",
             "a)",
             "[a",
             "[]",
             "[z-a]",
             "a{",
             "a{2,1}",
             "*a",
             "\\",
             "}",
             "]",
             "\\p{L",
         }) {
        EXPECT_EQ(make_program_regex(expression), nullptr) << expression;
    }
    EXPECT_EQ(found("((((((((a))))))))", "a"), "a");
    EXPECT_EQ(make_program_regex("(((((((((a)))))))))"), nullptr);
    EXPECT_EQ(make_program_regex(std::string(2000, 'a')), nullptr);
    std::string many = "a";
    for (int i = 0; i < 64; ++i) {
        many += "|a";
    }
    EXPECT_EQ(make_program_regex(many), nullptr);
    EXPECT_EQ(make_regex("(?:ab)+", place())->matches("abab").size(), 1U);
}

TEST_F(Patterns, HaveAllWhiteSpaceInIcuToo) {
    EXPECT_EQ(by_icu("\\s+")->matches("a\v\u0085\u2003b").size(), 1U);
    EXPECT_EQ(by_icu("[^\\s]")->matches("\v").size(), 0U);
    EXPECT_EQ(by_icu("\\\\s")->matches("\\s s").size(), 1U);
}

std::string pattern_message(const Pattern &pattern, const std::string &text) {
    try {
        pattern.matches(text);
    } catch (const forest::Broken &broken) {
        return broken.error.render();
    }
    return "";
}

TEST_F(Patterns, EndInTime) {
    const std::string message = "the regular expression of the tokenizer cannot be matched with the text: ";
    const std::string text(5000, 'a');
    EXPECT_NE(pattern_message(*by_icu("(a*)*b"), text).find(message + "U_REGEX_TIME_OUT"), std::string::npos);
    for (const char *expression : {"a*a*a*b", "(?:a|a*)a*(?:a|a*)a*c", "(?=a*)a*(?:a*|b)c"}) {
        EXPECT_NE(pattern_message(*make_program_regex(expression), text).find(message + "it takes too many steps"),
                  std::string::npos)
            << expression;
    }
    std::string doubled;
    for (int i = 0; i < 40; ++i) {
        doubled += "(?:a|a)";
    }
    EXPECT_NE(pattern_message(*make_program_regex(doubled + "b"), text), "");
    // The square of a length, as fast as possible.
    EXPECT_NE(pattern_message(*make_program_regex("a++b"), std::string(100'000, 'a')), "");
    EXPECT_NE(pattern_message(*make_program_regex("(?=a*)ab"), std::string(100'000, 'a')), "");
}

TEST_F(Patterns, TakeLongRunsAndTexts) {
    constexpr std::size_t million = 1'000'000;
    const auto gpt2 = make_gpt2_pattern();
    EXPECT_EQ(gpt2->matches(std::string(million, ' ')).size(), 1U);
    EXPECT_EQ(gpt2->matches(std::string(million, ' ') + 'x').size(), 2U);
    EXPECT_EQ(gpt2->matches(std::string(million, 'x')).size(), 1U);
    const auto lines = make_program_regex(R"(\s*[\r\n]+|\s+(?!\S)|\s+|[\p{Lu}\p{Lo}]*[\p{Ll}\p{Lo}]+|\p{Lu}+)");
    EXPECT_EQ(lines->matches(std::string(million, ' ') + 'x').size(), 3U);
    EXPECT_EQ(lines->matches(std::string(million, 'X')).size(), 1U);
    // ICU counts time for all of a text.
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        text += "Hello World, ";
    }
    EXPECT_EQ(by_icu("[A-Z]?[a-z]*[a-m]*[a-z]+|[^a-z]")->matches(text).size(), 500'000U);
}

TEST_F(Patterns, ThatAreWrongAreErrors) {
    EXPECT_THROW(make_regex("(a", place()), forest::Broken);
    EXPECT_THROW(make_regex("[z-a]", place()), forest::Broken);
}

}  // namespace
}  // namespace tenrex::text
