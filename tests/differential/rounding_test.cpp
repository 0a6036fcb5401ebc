// What rounding explains, and what it does not.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/differential/rounding.h"

namespace tenrex::differential {
namespace {

using random::Piece;
using random::RandomExpression;

Tensor tensor(const std::string &literal) {
    return *from_literal(literal);
}

Piece leaf(const std::string &text) {
    return {{text}, {}, {}, {}};
}

Piece call(std::vector<std::string> text, std::vector<Piece> parts) {
    return {std::move(text), std::move(parts), {}, {}};
}

RandomExpression operation(Piece root, const std::string &input) {
    return {1, std::move(root), {{"input", Stage::document, tensor(input)}}};
}

std::string difference(const RandomExpression &expression, const std::string &actual) {
    const Tensor expected =
        *Expression::parse(expression.text(), expression.schema())->evaluate_reference(expression.values());
    return Rounding(expression).difference(tensor(actual), expected);
}

TEST(Rounding, ExplainsTheLastBitsOfTermsThatCancel) {
    const RandomExpression sum = operation(call({"sum(", ")"}, {leaf("input")}), "tensor(x[3]):[0.1,1e30,-1e30]");
    EXPECT_EQ(difference(sum, "0.1"), "");
    EXPECT_EQ(difference(sum, "1e14"), "");
    EXPECT_NE(difference(sum, "1e17"), "");
    EXPECT_NE(difference(sum, "nan"), "");
}

TEST(Rounding, DoesNotExplainOtherSums) {
    const RandomExpression sum = operation(call({"sum(", ")"}, {leaf("input")}), "tensor(x[3]):[0.1,1,-1]");
    EXPECT_EQ(difference(sum, "0.10000001"), "");
    EXPECT_NE(difference(sum, "0.1001"), "");
}

TEST(Rounding, LeavesWholeNumbersAlone) {
    const RandomExpression set = operation(call({"sum(", "==3)"}, {leaf("input")}), "tensor(x[2]):[3,4]");
    EXPECT_EQ(difference(set, "1"), "");
    EXPECT_NE(difference(set, "0"), "");
}

TEST(Rounding, ExplainsWhatIsComputedWithinLambdas) {
    const Piece power = call({"pow(", ",", ")"}, {leaf("1.75"), leaf("255")});
    const RandomExpression map =
        operation(call({"map(", ",f(p)(", "%p))"}, {leaf("input"), power}), "tensor(x[1]):[0.7]");
    EXPECT_EQ(difference(map, "tensor(x[1]):[0.1]"), "");  // no digit of the remainder is known
    EXPECT_NE(difference(map, "tensor(x[1]):[9]"), "");
}

TEST(Rounding, DoesNotExplainOtherAddresses) {
    const RandomExpression sum = operation(call({"sum(", ",x)"}, {leaf("input")}), "tensor(k{},x[2]):{a:[1e30,-1e30]}");
    EXPECT_EQ(difference(sum, "tensor(k{}):{a:1}"), "");
    EXPECT_NE(difference(sum, "tensor(k{}):{b:1}"), "");
    EXPECT_NE(difference(sum, "tensor(k{}):{}"), "");
}

}  // namespace
}  // namespace tenrex::differential
