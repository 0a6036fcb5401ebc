// Products of matrices: which operand gives the rows, so that neither it nor the result is copied where the other way
// is cheaper.
#include <gmock/gmock.h>

#include "lib/support/format.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

using random::Numbers;
using testing::HasSubstr;
using testing::Not;

constexpr Stage query = Stage::query, document = Stage::document;

// The sum of a*b over z. `product` is what the plan says of it.
void check(const std::vector<std::pair<Stage, std::string>> &dimensions, const std::string &product, bool copies,
           Numbers numbers = Numbers::smooth) {
    for (const auto &[a, b] : {std::pair("float", "float"), std::pair("double", "double"),
                               std::pair("int8", "bfloat16"), std::pair("bfloat16", "double")}) {
        SCOPED_TRACE(fmt::format("{} by {}, {} and {}", dimensions[0].second, dimensions[1].second, a, b));
        std::string plan;
        const std::vector<Values> inputs = {
            random_values("a", dimensions[0].first, fmt::format("tensor<{}>({})", a, dimensions[0].second), 5, numbers,
                          1),
            random_values("b", dimensions[1].first, fmt::format("tensor<{}>({})", b, dimensions[1].second), 5, numbers,
                          2)};
        EXPECT_EQ(wrong_value("sum(a*b,z)", inputs, Agreement::within_bounds, nullptr, &plan), "");
        EXPECT_THAT(plan, HasSubstr("product of matrices: " + product));
        EXPECT_EQ(plan.find("copy") != plan.npos, copies) << plan;
    }
}

TEST(Products, TheResultIsNotCopied) {
    check({{document, "i[32],z[32]"}, {document, "e[64],z[32]"}}, "64 rows of 32 by 32 columns", false);
    check({{document, "e[64],z[32]"}, {document, "i[32],z[32]"}}, "64 rows of 32 by 32 columns", false);
    check({{document, "g[3],y[5],z[6]"}, {document, "c[4],g[3],z[6]"}}, "3 times", true);
}

TEST(Products, TheRowsAreNotCopied) {
    check({{document, "w[64],z[32]"}, {document, "x[32],z[32]"}}, "64 rows of 32 by 32 columns", false);
    // The rows of the document would be copied, and so would the result.
    check({{document, "z[64],zz[32]"}, {query, "c[16],z[64]"}}, "16 rows of 64 by 32 columns", false);
}

TEST(Products, WhatTheQueryBringsIsPackedOnce) {
    check({{document, "y[32],z[64]"}, {query, "c[16],z[64]"}}, "32 rows of 64 by 16 columns", true);
    check({{document, "c[32],z[64]"}, {query, "y[16],z[64]"}}, "32 rows of 64 by 16 columns", false);
}

TEST(Products, AFewRowsByWhatADocumentBringsPackNothing) {
    check({{document, "r[8],z[20]"}, {document, "z[20],zz[64]"}}, "8 rows of 20 by 64 columns, nothing packed", false);
    check({{document, "b[3],r[8],z[20]"}, {document, "b[3],z[20],zz[32]"}},
          "3 times 8 rows of 20 by 32 columns, nothing packed", false);
    check({{document, "r[8],z[20]"}, {document, "z[20],zz[63]"}}, "8 rows of 20 by 63 columns", false);
    check({{document, "r[40],z[20]"}, {document, "z[20],zz[64]"}}, "40 rows of 20 by 64 columns", false);
}

// A vector by a matrix: dot products where the cells lie side by side, else rows that are added up.
TEST(Products, OfAVectorAddUpRows) {
    for (const std::string cells : {"float", "double", "bfloat16", "int8"}) {
        for (const Stage stage : {document, query}) {
            const Values w = random_values("w", stage, "tensor<float>(t[20])", 3, Numbers::smooth, 1);
            for (const auto &[dimensions, adds] : {std::pair("t[20],x[64]", true),
                                                   {"t[20],x[48],y[2]", true},
                                                   {"t[20],x[63]", false},
                                                   {"a[64],t[20]", false}}) {
                std::string plan;
                const Values m = random_values("m", document, fmt::format("tensor<{}>({})", cells, dimensions), 3,
                                               Numbers::smooth, 2);
                EXPECT_EQ(wrong_value("sum(w*m,t)", {w, m}, Agreement::within_bounds, nullptr, &plan), "");
                EXPECT_EQ(plan.find("nothing packed") != plan.npos, adds) << plan;
            }
        }
    }
}

TEST(Products, OfOddSizes) {
    check({{document, "i[31],z[9]"}, {document, "e[32],z[9]"}}, "32 rows of 9 by 31 columns", false, Numbers::exact);
}

// Large enough for kernels that take such cells as they are, where the processor has some.
TEST(Products, OfCellsThatNeedNotBeWidened) {
    for (const std::string cells : {"int8", "bfloat16"}) {
        for (const Stage stage : {Stage::constant, query}) {
            for (const Numbers numbers : {Numbers::smooth, Numbers::exact}) {
                SCOPED_TRACE(cells);
                const Values b = random_values("b", stage, "tensor<" + cells + ">(y[50],z[130])", 1, numbers, 1);
                const Values labels = random_values("b", query, "tensor<" + cells + ">(y{},z[130])", 1, numbers, 2);
                const Values c = random_values("c", query, "tensor<float>(y[50])", 1, numbers, 3);
                for (const char *dimensions : {"z[130]", "x[9],z[130]", "x{},z[130]", "g{},x[3],z[130]"}) {
                    const std::string type = "tensor<" + cells + ">(" + dimensions + ")";
                    const Values a = random_values("a", document, type, 3, numbers, 4);
                    EXPECT_EQ(wrong_value("sum(a*b,z)+c", {a, b, c}), "") << type;
                    EXPECT_EQ(wrong_value("sum(a*b,z)", {a, labels}), "") << type;
                    if (type.find('x') != type.npos) {
                        EXPECT_EQ(wrong_value("reduce(sum(a*b,z),max,x)", {a, b}), "") << type;
                        EXPECT_EQ(wrong_value("sum(reduce(sum(a*b,z),min,x))", {a, labels}), "") << type;
                    }
                }
            }
        }
    }
    // Beyond what float holds: rounded once, or not at all.
    const Values a = random_values("a", document, "tensor<int8>(x[3],z[20000])", 3, Numbers::exact, 1);
    const Values b = random_values("b", query, "tensor<int8>(y[17],z[20000])", 1, Numbers::exact, 2);
    EXPECT_EQ(wrong_value("sum(a*b,z)", {a, b}, Agreement::exact), "");
    EXPECT_EQ(wrong_value("sum(cell_cast(a,double)*b,z)", {a, b}, Agreement::exact), "");
}

// sum(a*b,z)+c, of three inputs.
void check_bias(const std::string &text, const std::vector<std::pair<Stage, std::string>> &types, bool is_part,
                Numbers numbers = Numbers::smooth) {
    SCOPED_TRACE(text);
    std::vector<Values> inputs;
    for (const auto &[stage, type] : types) {
        const char name[] = {static_cast<char>('a' + inputs.size()), '\0'};
        inputs.push_back(random_values(name, stage, type, 7, numbers, inputs.size()));
    }
    std::string plan;
    EXPECT_EQ(wrong_value(text, inputs, Agreement::within_bounds, nullptr, &plan), "");
    EXPECT_EQ(plan.find(", with a bias") != plan.npos, is_part) << plan;
}

TEST(Products, TakeABias) {
    for (const std::string cells : {"float", "double", "bfloat16", "int8"}) {
        SCOPED_TRACE(cells);
        const std::string bias = cells == "double" ? "tensor(h[9])" : "tensor<float>(h[9])";
        const std::pair a(document, "tensor<" + cells + ">(z[20])");
        const std::pair b(Stage::constant, "tensor<" + cells + ">(h[9],z[20])");
        check_bias("sum(a*b,z)+c", {a, b, {Stage::constant, bias}}, true);
        check_bias("c+sum(b*a,z)", {a, b, {query, bias}}, true);
        check_bias("relu(sum(a*b,z)+c)", {a, b, {query, bias}}, true);
        check_bias("sum(a*b,z)+c", {a, {query, b.second}, {query, bias}}, true, Numbers::any);
        check_bias("sum(a*b,z)+c", {{document, "tensor<" + cells + ">(m{},z[20])"}, b, {query, bias}}, true);
        check_bias("sum(a*b,z)+c", {{document, "tensor<" + cells + ">(g[3],z[20])"}, b, {query, bias}}, true);
        check_bias("sum(a*b,z)+c", {{query, a.second}, b, {query, bias}}, true);
    }
    check_bias(
        "sum(a*b,z)+c",
        {{document, "tensor<float>(z[700])"}, {query, "tensor<float>(h[5],z[700])"}, {query, "tensor<float>(h[5])"}},
        true);
    check_bias("sum(a*b,z)+c",
               {{document, "tensor<float>(i[3],z[9])"},
                {query, "tensor<float>(g[4],h[5],z[9])"},
                {query, "tensor<float>(g[4],h[5])"}},
               true);
    check_bias("sum(a*b,z)+c",
               {{document, "tensor<float>(e[2],g[4],z[9])"},
                {query, "tensor<float>(g[4],h[5],z[9])"},
                {query, "tensor<float>(h[5])"}},
               true);
}

TEST(Products, TakeRelu) {
    const auto check = [](const std::string &text, const std::vector<std::string> &types, bool is_part) {
        SCOPED_TRACE(text);
        const std::vector<Values> inputs = {random_values("a", document, types[0], 7, Numbers::any, 1),
                                            random_values("b", query, types[1], 1, Numbers::any, 2),
                                            random_values("c", query, types[2], 1, Numbers::any, 3)};
        std::string plan;
        EXPECT_EQ(wrong_value(text, inputs, Agreement::within_bounds, nullptr, &plan), "");
        const std::string product = plan.substr(std::min(plan.find("product of matrices"), plan.size()));
        EXPECT_EQ(product.substr(0, product.find('\n')).find(", relu") != product.npos, is_part) << plan;
    };
    for (const std::string cells : {"float", "double", "bfloat16", "int8"}) {
        SCOPED_TRACE(cells);
        const std::string a = "tensor<" + cells + ">(z[20])";
        const std::string b = "tensor<" + cells + ">(h[9],z[20])";
        const std::string c = cells == "double" ? "tensor(h[9])" : "tensor<float>(h[9])";
        check("relu(sum(a*b,z)+c)", {a, b, c}, true);
        check("relu(c+sum(a*b,z))*2+1", {a, b, c}, true);
        check("relu(sum(a*b,z))+c", {a, b, c}, true);
        check("relu(sum(a*b,z))", {"tensor<" + cells + ">(m{},z[20])", b, c}, true);
        check("relu(sum(a*b,z))", {"tensor<" + cells + ">(g[2],z[20])", b, c}, true);
        check("relu(sum(a*b,z)+c)", {"tensor<" + cells + ">(y[3],z[20])", b, c}, true);
        check("relu(sum(a*b,z)+c)+sum(a*b,z)", {a, b, c}, false);
        check("relu(sum(a*b,z)-c)", {a, b, c}, false);
        check("elu(sum(a*b,z)+c)", {a, b, c}, false);
    }
    // Rounded before: a small negative number becomes -0, which stays.
    check("relu(cell_cast(sum(a*b,z),float))", {"tensor(z[20])", "tensor(h[9],z[20])", "double"}, false);
    // Of a vector times the rows of each document there is no product of matrices.
    check("relu(sum(a*b,z))", {"tensor<float>(h[9],z[20])", "tensor<float>(z[20])", "double"}, false);
}

TEST(Products, OfTheSameConstantsAreComputedOnce) {
    const std::string layer = "relu(xw_plus_b(a,b,c,z))";
    const std::vector<Values> inputs = {
        random_values("a", document, "tensor<float>(z[20])", 7, Numbers::smooth, 1),
        random_values("b", Stage::constant, "tensor<float>(h[9],z[20])", 1, Numbers::smooth, 2),
        random_values("c", Stage::constant, "tensor<float>(h[9])", 1, Numbers::smooth, 3)};
    std::string plan;
    EXPECT_EQ(
        wrong_value("(" + layer + "-avg(" + layer + "))*" + layer, inputs, Agreement::within_bounds, nullptr, &plan),
        "");
    const std::size_t first = plan.find("product of matrices");
    EXPECT_NE(first, plan.npos);
    EXPECT_EQ(plan.find("product of matrices", first + 1), plan.npos) << plan;
}

TEST(Products, TakeNoOtherOperandAsABias) {
    const std::pair a(document, "tensor<float>(z[20])");
    const std::pair b(query, "tensor<float>(h[9],z[20])");
    check_bias("sum(a*b,z)+c", {a, b, {document, "tensor<float>(h[9])"}}, false);
    check_bias("sum(a*b,z)+c", {a, b, {query, "tensor<float>(g[2],h[9])"}}, false);
    check_bias("sum(a*b,z)+c", {a, b, {query, "tensor<float>(h[9],m{})"}}, false);
    check_bias("sum(a*b,z)+c", {a, b, {query, "double"}}, false);
    check_bias("sum(a*b,z)+c", {a, b, {query, "tensor(h[9])"}}, false);  // the sum is rounded to float, and then added
    check_bias("sum(a*b,z)-c", {a, b, {query, "tensor<float>(h[9])"}}, false);
    check_bias("(sum(a*b,z)+c)*sum(a*b,z)", {a, b, {query, "tensor<float>(h[9])"}}, false);
    check_bias("sum(a*b,z)+c", {{document, "tensor<float>(i[9],z[20])"}, b, {query, "tensor<float>(i[9])"}}, false);
    // The products of more bytes are added up in double, and rounded before the bias is added.
    check_bias(
        "sum(a*b,z)+c",
        {{document, "tensor<int8>(z[1100])"}, {query, "tensor<int8>(h[9],z[1100])"}, {query, "tensor<float>(h[9])"}},
        false);
}

TEST(Products, ABiasDoesNotChangeZeros) {
    const std::vector<Values> inputs = {{"a", document, literals({"tensor(z[2]):[0,0]", "tensor(z[2]):[-0.0,1]"})},
                                        {"b", query, literals({"tensor(h[3],z[2]):[[0,0],[-0.0,-0.0],[1,-0.0]]"})},
                                        {"c", query, literals({"tensor(h[3]):[-0.0,-0.0,0]"})}};
    std::string plan;
    EXPECT_EQ(wrong_value("1/(sum(a*b,z)+c)", inputs, Agreement::exact, nullptr, &plan), "");
    EXPECT_THAT(plan, HasSubstr(", with a bias"));
}

}  // namespace
}  // namespace tenrex::optimizer
