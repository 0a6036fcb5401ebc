#include "tools/value_argument.h"

#include <gtest/gtest.h>

namespace tenrex::tool {
namespace {

std::string split(std::string_view argument) {
    const auto parts = split_argument(argument);
    return parts ? parts->name + "|" + parts->text : "none";
}

TEST(SplitArgument, FirstEqualsSignOutsideParentheses) {
    EXPECT_EQ(split("a=1"), "a|1");
    EXPECT_EQ(split(" a = 1"), "a| 1");
    EXPECT_EQ(split("a="), "a|");
    EXPECT_EQ(split("a=b=c"), "a|b=c");
    EXPECT_EQ(split("query(q)=1"), "query(q)|1");
    EXPECT_EQ(split("query(q).x=1"), "query(q).x|1");
    EXPECT_EQ(split("f(g(a=1),b)=2"), "f(g(a=1),b)|2");
    EXPECT_EQ(split("f(\"a)=(\\\"=\")=2"), "f(\"a)=(\\\"=\")|2");
    EXPECT_EQ(split("a=(b)"), "a|(b)");
}

TEST(SplitArgument, Refused) {
    EXPECT_EQ(split(""), "none");
    EXPECT_EQ(split("a"), "none");
    EXPECT_EQ(split("=1"), "none");
    EXPECT_EQ(split("  =1"), "none");
    EXPECT_EQ(split("f(a=1"), "none");
    EXPECT_EQ(split("f(\"a)=1"), "none");
    EXPECT_EQ(split("f(a)"), "none");
}

TEST(NameLength, Names) {
    EXPECT_EQ(name_length("abc = 1"), 3U);
    EXPECT_EQ(name_length("abc==1"), 3U);
    EXPECT_EQ(name_length("query(q)=1"), 8U);
    EXPECT_EQ(name_length("term(0).weight*2"), 14U);
    EXPECT_EQ(name_length("a.b.c = 1"), 5U);
    EXPECT_EQ(name_length("$q=1"), 2U);
    EXPECT_EQ(name_length("a. b"), 1U);
    EXPECT_EQ(name_length("f(\")\")="), 6U);
}

TEST(NameLength, NoName) {
    EXPECT_EQ(name_length(""), 0U);
    EXPECT_EQ(name_length("(a)=1"), 0U);
    EXPECT_EQ(name_length(" a"), 0U);
    EXPECT_EQ(name_length("f(a"), 0U);
    EXPECT_EQ(name_length("-a"), 0U);
}

TEST(Sniff, FirstCharactersTell) {
    EXPECT_EQ(sniff("{\"a\":1}"), ValueForm::json);
    EXPECT_EQ(sniff(" {\n\"a\":1}"), ValueForm::json);
    EXPECT_EQ(sniff("[ { \"address\":{}}]"), ValueForm::json);
    EXPECT_EQ(sniff("{a:1}"), ValueForm::literal);
    EXPECT_EQ(sniff("{{x:a}:1}"), ValueForm::literal);
    EXPECT_EQ(sniff("[{a:1}]"), ValueForm::literal);
    EXPECT_EQ(sniff("[1,2]"), ValueForm::literal);
    EXPECT_EQ(sniff("1.5"), ValueForm::literal);
    EXPECT_EQ(sniff(""), ValueForm::literal);
    EXPECT_EQ(sniff("\n1"), ValueForm::literal);
    EXPECT_EQ(sniff("\x02\x01x"), ValueForm::binary);
    EXPECT_EQ(sniff("\x07"), ValueForm::binary);
}

TEST(FormOfFile, NameBeforeContent) {
    EXPECT_EQ(form_of_file("a.json", "1"), ValueForm::json);
    EXPECT_EQ(form_of_file("a.txt", "{\"a\":1}"), ValueForm::literal);
    EXPECT_EQ(form_of_file("a.tbf", "1"), ValueForm::binary);
    EXPECT_EQ(form_of_file("a.bin", "1"), ValueForm::binary);
    EXPECT_EQ(form_of_file("a.dat", "{\"a\":1}"), ValueForm::json);
    EXPECT_EQ(form_of_file("json", "1"), ValueForm::literal);
}

}  // namespace
}  // namespace tenrex::tool
