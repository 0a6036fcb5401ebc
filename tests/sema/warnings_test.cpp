// What is accepted, but probably not meant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sema/checking.h"

namespace tenrex::sema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Warnings, OfRepeatedCellsAndDimensions) {
    EXPECT_THAT(issues_of("tensor(x{}):{a:1,b:2,a:3}"),
                ElementsAre("21-24: warning: the literal has two cells with this address; the first one counts"));
    EXPECT_THAT(issues_of("tensor(x{},y[2]):{a:[1,2],a:[2,3]}").size(), 2u);
    EXPECT_THAT(issues_of("tensor(x{},y[1]):{a:[1],a:[2]}"),
                ElementsAre("27-28: warning: the literal has two cells with this address; the first one counts"));
    EXPECT_THAT(issues_of("tensor(x[2]):{{x:0}:1,{x:0}:2}"),
                ElementsAre("22-26: warning: the literal has two cells with this address; the first one counts"));
    EXPECT_THAT(issues_of("tensor(x{}):{{x:a}:1,{x:\"a\"}:2}").size(), 1u);
    EXPECT_THAT(issues_of("tensor(x{}):{{x:a,x:b}:1}"),
                ElementsAre("18-19: warning: dimension 'x' is named twice in the address; the first label counts"));
    EXPECT_THAT(issues_of("v{x:0,x:1}"),
                ElementsAre("6-9: warning: dimension 'x' is named twice; the first label counts"));
    EXPECT_THAT(issues_of("tensor(x{},y[2]):{a:[1,0],b:[2,3]}"), IsEmpty());
    EXPECT_THAT(issues_of("tensor(x{}):{0:1,00:2}"), IsEmpty());
    EXPECT_THAT(issues_of("d{x:0,y:0}"), IsEmpty());
}

TEST(Warnings, OfListsThatAreTooShort) {
    EXPECT_THAT(issues_of("tensor(x[3]):[1,2]"),
                ElementsAre("13-18: warning: the list has 2 of the 3 elements of dimension x[3] (the others are 0)"));
    EXPECT_THAT(issues_of("tensor(x{},y[2]):{a:[1],b:[2,3]}"),
                ElementsAre("18-23: warning: the list has 1 of the 2 elements of dimension y[2] (the others are 0)"));
    EXPECT_THAT(issues_of("tensor(x[2],y[2]):[[1,2]]").size(), 1u);
    EXPECT_THAT(issues_of("tensor(x[2],k{}):[{a:1}]").size(), 1u);
    EXPECT_THAT(issues_of("tensor(x[3]):[]"), IsEmpty()) << "the short way to write zeros";
    EXPECT_THAT(issues_of("tensor(x{},y[2]):{a:[],b:[2,3]}"), IsEmpty());
    EXPECT_THAT(issues_of("tensor(x[3]):{{x:1}:5}"), IsEmpty());
}

TEST(Warnings, OfLabelsThatLookComputed) {
    EXPECT_THAT(
        issues_of("m{x:s+1}"),
        ElementsAre("2-7: warning: 's+1' is taken as the text of a label, it is not computed (write (s+1) to compute "
                    "a label, or quote it)"));
    EXPECT_THAT(issues_of("m{x:(s+1)}"), IsEmpty());
    EXPECT_THAT(issues_of("m{x:\"s+1\"}"), IsEmpty());
    EXPECT_THAT(issues_of("m{x:a-b}"), IsEmpty()) << "a usual label";
    EXPECT_THAT(issues_of("m{x:key.1}"), IsEmpty());
    EXPECT_THAT(issues_of("v{x:s+1}"), IsEmpty()) << "computed, since x is indexed";
}

TEST(Warnings, OfComputedLabelsThatFindNothing) {
    EXPECT_THAT(issues_of("v{x:(1+2)}"),
                ElementsAre("5-8: warning: index 3 is outside of dimension 'x' of size 3 (the peek "
                            "always gives zero)"));
    EXPECT_THAT(issues_of("v{x:(0/0)}"),
                ElementsAre("5-8: warning: index nan is outside of dimension 'x' of size 3 (the "
                            "peek always gives zero)"));
    EXPECT_THAT(issues_of("m{x:(0/0)}"),
                ElementsAre("5-8: warning: nan is no label: it does not fit into 64 bits (the peek "
                            "always gives zero)"));
    EXPECT_THAT(issues_of("v{x:(1+1)}"), IsEmpty());
    EXPECT_THAT(issues_of("v{x:(s+3)}"), IsEmpty()) << "not known";
}

// Issues against a schema with a string, a document's and a query's vector without a common dimension.
std::vector<std::string> warnings_of(std::string_view text) {
    Schema schema;
    schema.document("lang", "string").document("s").document("i").document("m", "tensor(x{})");
    schema.query("q", "tensor(x[3])").document("d", "tensor(y[3])").document("one", "tensor(y[1])");
    schema.document("e", "tensor(x[3],y[3])");
    const auto checked = check_text(text, schema);
    EXPECT_TRUE(checked) << text;
    std::vector<std::string> messages;
    for (const Issue &issue : checked ? checked->warnings() : checked.error().issues()) {
        messages.push_back(std::to_string(issue.span.begin) + "-" + std::to_string(issue.span.end) + ": " +
                           issue.message);
    }
    return messages;
}

TEST(Warnings, OfStringsTakenAsNumbers) {
    EXPECT_THAT(warnings_of("lang<\"x\""),
                ElementsAre("4-5: '<' of a string computes with the number that stands for the text"));
    EXPECT_THAT(warnings_of("if(s,\"a\",lang)+1").size(), 1u);
    EXPECT_THAT(warnings_of("sqrt(\"a\")").size(), 1u);
    EXPECT_THAT(warnings_of("3!=lang"),
                ElementsAre("1-3: a string is compared with a number; no text is equal to one"));
    EXPECT_THAT(warnings_of("if(s,\"a\",1)+1"), IsEmpty()) << "a number in one case";
    EXPECT_THAT(warnings_of("(lang==\"a\")+1"), IsEmpty());
    EXPECT_THAT(warnings_of("s==\"a\""), IsEmpty()) << "s may be the number of a string";
    EXPECT_THAT(warnings_of("isNan(lang)+(lang in [\"a\"])+(lang!=\"b\")"), IsEmpty());
}

TEST(Warnings, OfSumsOverPairsThatHaveNothingInCommon) {
    EXPECT_THAT(
        warnings_of("sum(q*d)"),
        ElementsAre("4-7: tensor(x[3]) and tensor(y[3]) have no dimension in common: every cell of one meets every "
                    "cell of the other, and 'sum' takes all of them"));
    EXPECT_THAT(warnings_of("sum(-exp(q*d*s),x,y)").size(), 1u);
    EXPECT_THAT(warnings_of("sum(q*d,x)"), IsEmpty()) << "d stays";
    EXPECT_THAT(warnings_of("sum(q*one)"), IsEmpty());
    EXPECT_THAT(warnings_of("sum(q*d*e)"), IsEmpty());
    EXPECT_THAT(warnings_of("max(q*d,x,y)"), IsEmpty());
}

TEST(Warnings, OfLabelsThatNameValues) {
    EXPECT_THAT(warnings_of("m{x:i}"), ElementsAre("2-5: 'i' is taken as the text of a label, not as the value 'i'"));
    EXPECT_THAT(warnings_of("m{\"i\"}+m{x:k}+m{(i)}"), IsEmpty());
}

TEST(Warnings, StandBesideErrorsInTheOrderOfTheText) {
    EXPECT_THAT(issues_of("nosuch+v{x:0,x:1}+nosuch2"),
                ElementsAre("0-6: unknown symbol 'nosuch' (declare it in the schema)",
                            "13-16: warning: dimension 'x' is named twice; the first label counts",
                            "18-25: unknown symbol 'nosuch2' (declare it in the schema)"));
}

TEST(Warnings, NeverHideTheError) {
    std::string text = "tensor(x{}):{";
    for (int i = 0; i < 500; ++i) {
        text += "a:1,";
    }
    const auto checked = check_text(text + "a:nosuch}");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message(), "1:2016: unknown symbol 'nosuch' (declare it in the schema)");
}

}  // namespace
}  // namespace tenrex::sema
