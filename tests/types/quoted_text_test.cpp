#include "lib/types/quoted_text.h"

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/formats/random_tensor.h"

namespace tenrex {
namespace {

TEST(ClosingQuote, IsTheFirstThatIsNotEscaped) {
    EXPECT_EQ(closing_quote(R"("abc" "d")", 0), 4U);
    EXPECT_EQ(closing_quote(R"(x"a\"b"c)", 1), 6U);
    EXPECT_EQ(closing_quote(R"("a\\"b")", 0), 4U);
    EXPECT_EQ(closing_quote(R"('a"b')", 0), 4U);
    EXPECT_EQ(closing_quote(R"("a'b")", 0), 4U);
    EXPECT_EQ(closing_quote(R"("")", 0), 1U);
    for (const std::string_view text : {R"(")", R"("a)", R"("a\")", R"("a\)", R"("a')"}) {
        EXPECT_EQ(closing_quote(text, 0), std::string_view::npos) << text;
    }
}

TEST(Unescape, ReplacesAllEscapes) {
    const struct {
        std::string_view body;
        std::string expected;
    } cases[] = {
        {"", ""},
        {"plain \xc3\xbc", "plain \xc3\xbc"},
        {R"(\"\'\\\f\n\r\t)", "\"'\\\f\n\r\t"},
        {R"(\x41\x00\xff\xFFz)", std::string("A\0\xff\xffz", 5)},
        {R"(\u0041\u00e9\u20AC)", "A\xc3\xa9\xe2\x82\xac"},
        {R"(\ud83d\ude00)", "\xf0\x9f\x98\x80"},
        {R"(\u0000)", std::string(1, '\0')},
        {R"(a\\nb)", R"(a\nb)"},
    };
    for (const auto &c : cases) {
        std::string out = "before ";
        EXPECT_FALSE(unescape(c.body, out)) << c.body;
        EXPECT_EQ(out, "before " + c.expected) << c.body;
    }
}

TEST(Unescape, SaysWhichEscapeIsWrong) {
    const struct {
        std::string_view body;
        std::size_t begin, end;
        std::string_view message;
    } cases[] = {
        {R"(ab\q)", 2, 4, R"(unknown escape '\q')"},
        {R"(\a)", 0, 2, R"(unknown escape '\a')"},
        {R"(\0)", 0, 2, R"(unknown escape '\0')"},
        {R"(\/)", 0, 2, R"(unknown escape '\/')"},
        {"\\\xc3\xbc!", 0, 3, "unknown escape '\\\xc3\xbc'"},
        {"\\\xff", 0, 2, R"(unknown escape '\\xff')"},
        {R"(a\)", 1, 2, R"(unknown escape '\')"},
        {R"(\x)", 0, 2, R"('\x' needs two hexadecimal digits)"},
        {R"(\x4)", 0, 3, R"('\x' needs two hexadecimal digits)"},
        {R"(\x4g5)", 0, 4, R"('\x' needs two hexadecimal digits)"},
        {R"(\u123)", 0, 5, R"('\u' needs four hexadecimal digits)"},
        {R"(\u12g45)", 0, 6, R"('\u' needs four hexadecimal digits)"},
        {R"(\ud83d)", 0, 6, R"('\ud83d' is half of a surrogate pair)"},
        {R"(\ud83dx)", 0, 6, R"('\ud83d' is half of a surrogate pair)"},
        {R"(\ud83d\u0041)", 0, 6, R"('\ud83d' is half of a surrogate pair)"},
        {R"(\ude00)", 0, 6, R"('\ude00' is half of a surrogate pair)"},
    };
    for (const auto &c : cases) {
        std::string out;
        const auto error = unescape(c.body, out);
        ASSERT_TRUE(error) << c.body;
        EXPECT_EQ(error->begin, c.begin) << c.body;
        EXPECT_EQ(error->end, c.end) << c.body;
        EXPECT_EQ(error->message, c.message) << c.body;
    }
    std::string out;
    EXPECT_EQ(unescape(R"(\q)", out)->hint, R"(the escapes are \" \' \\ \f \n \r \t \xHH \uXXXX)");
}

TEST(QuotedLabel, IsBareIfItIsAWordOrNumber) {
    for (const std::string_view label : {"a", "A_1", "7", "007", "_", "true", "9abc"}) {
        EXPECT_EQ(quoted_label(label), label);
    }
}

TEST(QuotedLabel, EscapesWhatDoesNotStandOnALine) {
    const struct {
        std::string_view label, expected;
    } cases[] = {
        {"", R"("")"},
        {"a b", R"("a b")"},
        {"a-b", R"("a-b")"},
        {"a.b", R"("a.b")"},
        {"a@b$", R"("a@b$")"},
        {"it's \"x\" \\", R"("it's \"x\" \\")"},
        {"\n\t\r\f", R"("\n\t\r\f")"},
        {"\x01\x1f\x7f\v", R"("\x01\x1f\x7f\x0b")"},
        {"\xc3\xbc\xf0\x9f\x98\x80", "\"\xc3\xbc\xf0\x9f\x98\x80\""},
        {"\xff\xc3", R"("\xff\xc3")"},
        {"\xed\xa0\x80", R"("\xed\xa0\x80")"},          // a surrogate in UTF-8
        {"\xc0\x80", R"("\xc0\x80")"},                  // an overlong form
        {"\xf4\x90\x80\x80", R"("\xf4\x90\x80\x80")"},  // beyond the last code point
    };
    for (const auto &c : cases) {
        EXPECT_EQ(quoted_label(c.label), c.expected);
    }
    EXPECT_EQ(quoted_label(std::string_view("a\0b", 3)), R"("a\x00b")");
}

TEST(QuotedLabel, ReadsBackToTheSameBytes) {
    testing::RandomTensors random(1);
    for (int i = 0; i < 5000; ++i) {
        const std::string label = random.label();
        std::string quoted;
        append_quoted(quoted, label);
        ASSERT_EQ(closing_quote(quoted, 0), quoted.size() - 1);
        std::string back;
        ASSERT_FALSE(unescape(std::string_view(quoted).substr(1, quoted.size() - 2), back));
        ASSERT_EQ(back, label);
    }
}

TEST(Clipped, IsShortAndOnOneLine) {
    EXPECT_EQ(clipped("abc"), "abc");
    EXPECT_EQ(clipped("a\nb\xff"), R"(a\x0ab\xff)");
    EXPECT_EQ(clipped(std::string(60, 'x')), std::string(60, 'x'));
    EXPECT_EQ(clipped(std::string(61, 'x')), std::string(60, 'x') + "...");
    EXPECT_EQ(clipped(std::string(59, 'x') + "\xc3\xbc"), std::string(59, 'x') + "...");
}

}  // namespace
}  // namespace tenrex
