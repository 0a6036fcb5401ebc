// What the checker refuses of open dimensions; the vectors of tests/conformance have what it accepts.
#include <string>

#include <gtest/gtest.h>

#include "tests/sema/checking.h"

namespace tenrex::sema {
namespace {

std::string first_issue(std::string_view text, Dialect dialect = Dialect::core) {
    Schema schema;
    schema.document("a", "tensor(t[])").document("d", "tensor<int8>(t[],x[2])").document("m", "tensor(t{})");
    schema.document("k", "tensor(t[3])").document("u", "tensor<int8>(u[],x[2])");
    const auto checked = check_text(text, schema, dialect);
    if (checked) {
        return "a " + checked->type().to_string();
    }
    const Issue &issue = checked.error().issues().front();
    return issue.message + (issue.hint.empty() ? "" : " (" + issue.hint + ")");
}

TEST(OpenDimensions, DoNotJoinWithLabels) {
    EXPECT_EQ(
        first_issue("a*m"),
        "'*' of tensor(t[]) and tensor(t{}): dimension 't' is indexed with an open size in the first and mapped in "
        "the second (use rename to keep the two apart)");
    EXPECT_EQ(first_issue("a*m", Dialect::java), "a tensor(t{})");
}

TEST(OpenDimensions, AreNotWrittenInExpressions) {
    EXPECT_EQ(first_issue("tensor(t[])(t)"),
              "expected the size of dimension 't', but found ']' (a size is a whole number, 1 or more)");
    EXPECT_EQ(first_issue("a*tensor(t[]):[1,2]"),
              "expected the size of dimension 't', but found ']' (a size is a whole number, 1 or more)");
}

TEST(OpenDimensions, HaveNoIndexBelow0) {
    EXPECT_EQ(first_issue("a{t:-1}"), "index -1 is outside of dimension 't' (indexes begin at 0)");
    EXPECT_EQ(first_issue("a{t:(-1)}"), "index -1 is outside of dimension 't' (indexes begin at 0)");
    EXPECT_EQ(first_issue("a{t:'b'}"),
              "'b' is not an index of dimension 't' ('t' is indexed: its labels are the numbers from 0 on)");
    EXPECT_EQ(first_issue("a{t:123456789}"), "a double");
}

TEST(OpenDimensions, AreNotUnpacked) {
    EXPECT_EQ(
        first_issue("unpack_bits(d)"),
        "'unpack_bits' needs sizes that are known, but this is tensor<int8>(t[],x[2]) (declare the rows with labels, "
        "as in tensor<int8>(t{},x[16]))");
}

TEST(OpenDimensions, BranchesHaveOneType) {
    EXPECT_EQ(first_issue("if(1,a,a*2)"), "a tensor(t[])");
    EXPECT_EQ(first_issue("if(1,a,k)"),
              "the branches of 'if' have the types tensor(t[]) and tensor(t[3]): dimension 't' is indexed with an open "
              "size in the first and indexed with size 3 in the second (give both branches the same dimensions)");
}

TEST(OpenDimensions, MayBecomeKnown) {
    EXPECT_EQ(first_issue("a*k"), "a tensor(t[3])");
    EXPECT_EQ(first_issue("concat(a,k,t)"), "a tensor(t[])");
    EXPECT_EQ(first_issue("d*u"), "a tensor<float>(t[],u[],x[2])");
}

}  // namespace
}  // namespace tenrex::sema
