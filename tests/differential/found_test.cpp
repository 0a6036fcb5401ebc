// What random programs found, shrunk: expressions that once compiled to something else. Further ones go here, as
// random_test prints them.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/formats.h>

#include "tests/conformance/comparison.h"
#include "tests/conformance/isas.h"
#include "tests/differential/case.h"

namespace tenrex::differential {
namespace {

struct Input {
    std::string name;
    Stage stage;
    std::string literal;
    std::string other = {};  // of every second document; as the first if empty
};

// Whether three documents have the values that the reference evaluator gives, with every instruction set and without
// each optimization.
testing::AssertionResult agrees(const std::string &text, const std::vector<Input> &inputs) {
    Case described{text, {}, std::vector<std::vector<NamedTensor>>(2)};
    for (const Input &input : inputs) {
        const Tensor value = *from_literal(input.literal);
        const Tensor other = *from_literal(input.other.empty() ? input.literal : input.other);
        if (input.stage == Stage::constant) {
            described.schema.constant(input.name, value);
        } else if (input.stage == Stage::query) {
            described.schema.query(input.name, value.type());
        } else {
            described.schema.document(input.name, value.type());
        }
        described.documents[0].emplace_back(input.name, value);
        described.documents[1].emplace_back(input.name, other);
    }
    const auto expression = Expression::parse(text, described.schema);
    if (!expression) {
        return testing::AssertionFailure() << expression.error().message();
    }
    std::vector<BoundedTensor> expected;
    for (const std::vector<NamedTensor> &values : described.documents) {
        expected.push_back(*expression->evaluate_reference_bounded(values));
    }
    std::vector<Settings> all;
    for (const char *isa : distinct_isas({"baseline", "avx2", "native"})) {
        all.push_back({isa, "", false});
    }
    for (const std::string_view pass : optimization_names()) {
        all.push_back({"", std::string(pass), false});
    }
    for (const Settings &settings : all) {
        const auto compiled = Compiled::make(described, settings);
        if (!compiled) {
            return testing::AssertionFailure() << compiled.error().message();
        }
        const std::size_t order[] = {0, 1, 0};
        Context context(compiled->plan());
        const auto values = evaluate(*compiled, described, order, context);
        if (!values) {
            return testing::AssertionFailure() << values.error().message();
        }
        for (std::size_t i = 0; i < std::size(order); ++i) {
            const std::string found = conformance::difference((*values)[i], expected[order[i]]);
            if (!found.empty()) {
                return testing::AssertionFailure()
                       << settings.to_string() << ", document " << i << ": " << found << "\n"
                       << compiled->plan().graph() << compiled->plan().explain();
            }
        }
    }
    return testing::AssertionSuccess();
}

TEST(Found, CellsThatAreRoundedTwice) {
    EXPECT_TRUE(
        agrees("cell_cast(cell_cast(d,int8),float)", {{"d", Stage::document, "tensor<float>(x[2]):[0.625,-1.5]"}}));
    EXPECT_TRUE(agrees("cell_cast(cell_cast(d,bfloat16),float)",
                       {{"d", Stage::document, "tensor<float>(x[2]):[1.00390625,-1.5]"}}));
    EXPECT_TRUE(
        agrees("merge(d,cell_cast(e,int8),f(p,q)(p+q))", {{"d", Stage::document, "tensor<float>(k{}):{a:0.5}"},
                                                          {"e", Stage::document, "tensor<float>(k{}):{a:0.5,b:1.5}"}}));
}

TEST(Found, LiteralsInAnyOrderInConcatenations) {
    EXPECT_TRUE(agrees("concat(a,tensor<int8>(x[2]):{{x:1}:b,{x:0}:c},x)",
                       {{"a", Stage::document, "9"}, {"b", Stage::document, "4"}, {"c", Stage::document, "16"}}));
    EXPECT_TRUE(agrees("concat(tensor<int8>(x[2]):{{x:1}:b,{x:0}:c},tensor<bfloat16>(x[1]):{{x:0}:b},x)",
                       {{"b", Stage::document, "300"}, {"c", Stage::document, "1.00390625"}}));
}

TEST(Found, RowsOfTheQueryTimesColumnsOfEachDocument) {
    EXPECT_TRUE(agrees("matmul(q,d,z)", {{"q", Stage::query, "tensor<float>(K{},z[3]):{a:[-4,4,-4],b:[1,2,3]}"},
                                         {"d", Stage::document, "tensor<float>(x[3],z[3]):[[-3,2,2],[3,0,3],[-2,4,-1]]",
                                          "tensor<float>(x[3],z[3]):[[1,2,3],[4,5,6],[7,8,9]]"}}));
    EXPECT_TRUE(agrees("matmul(q,d,x)",
                       {{"q", Stage::query, "tensor(k{},x[1],z[4]):{a:[[-2,3,1,4]],7:[[-1,-2,-2,-4]]}"},
                        {"d", Stage::document, "tensor(x[1],z[4]):[[-1,-3,1,-3]]", "tensor(x[1],z[4]):[[1,2,3,4]]"}}));
}

TEST(Found, ConditionsOfCellsThatChooseAmongBlocks) {
    EXPECT_TRUE(
        agrees("tensor(z[5])(if(z-4,a,b){k:a})", {{"a", Stage::document, "tensor(k{}):{}", "tensor(k{}):{a:1}"},
                                                  {"b", Stage::document, "tensor(k{}):{}", "tensor(k{}):{a:-3}"}}));
    EXPECT_TRUE(agrees("tensor(z[5])(if(a{y:(z-4)},b,if(z,c,c)){k:a})",
                       {{"a", Stage::document, "tensor<bfloat16>(y[2]):[-4,-4]"},
                        {"b", Stage::document, "tensor<bfloat16>(k{}):{}", "tensor<bfloat16>(k{}):{a:1,b:2}"},
                        {"c", Stage::constant, "tensor<bfloat16>(k{}):{a:-3}"}}));
    EXPECT_TRUE(agrees("tensor(z[5],y[5])(reduce(merge(c,if(z,a,b),f(p,q)(p>q)),max,k))",
                       {{"a", Stage::query, "tensor<bfloat16>(k{}):{}"},
                        {"b", Stage::document, "tensor<bfloat16>(k{}):{a:-2,7:-1}"},
                        {"c", Stage::document, "tensor<float>(k{}):{a:0,b:-1,7:4}"}}));
    EXPECT_TRUE(
        agrees("tensor(z[5])(reduce(if(z,a,b),sum))", {{"a", Stage::query, "tensor<bfloat16>(k{}):{}"},
                                                       {"b", Stage::document, "tensor<bfloat16>(k{}):{a:-2,7:-1}"}}));
    EXPECT_TRUE(agrees("tensor(z[5])(reduce(if(z,a,b),sum))",
                       {{"a", Stage::query, "tensor<bfloat16>(k{}):{a:1}"},
                        {"b", Stage::document, "tensor<bfloat16>(k{}):{a:-2,7:-1}", "tensor<bfloat16>(k{}):{b:4}"}}));
}

TEST(Found, LambdasOverOneBlockForEachElementOfAScope) {
    EXPECT_TRUE(agrees(
        "tensor(y[7])(map_subspaces(!elu(y),f(v)(reduce(if(v,tensor(k{}):{a:v},tensor(k{}):{b:v,c:-2}),sum))))", {}));
    EXPECT_TRUE(
        agrees("tensor(y[3])(map_subspaces(y,f(v)(reduce(filter_subspaces(tensor(k{}):{a:v,b:1},f(w)(w)),sum))))", {}));
    EXPECT_TRUE(
        agrees("map_subspaces(d,f(u)(map_subspaces(reduce(u,sum),f(v)(reduce(filter_subspaces(tensor(k{}):{a:1,b:v},"
               "f(w)(w-1)),sum)))))",
               {{"d", Stage::document, "tensor(m{},x[2]):{p:[0,1],q:[2,3]}", "tensor(m{},x[2]):{}"}}));
}

TEST(Found, FloatCellsLessANumberThatIsNoFloat) {
    const std::string cells = "tensor<float>(x[2]):[-0.25268024,1]";  // the arcsine of -0.25, as a float
    for (const Stage stage : {Stage::constant, Stage::query, Stage::document}) {
        EXPECT_TRUE(agrees("cell_cast(d-asin(s),bfloat16)", {{"d", Stage::document, cells}, {"s", stage, "-0.25"}}));
        EXPECT_TRUE(agrees("cell_cast(-asin(s)+d,bfloat16)", {{"d", Stage::document, cells}, {"s", stage, "-0.25"}}));
        EXPECT_TRUE(agrees("cell_cast(asin(s)-d,bfloat16)", {{"d", Stage::document, cells}, {"s", stage, "-0.25"}}));
        EXPECT_TRUE(agrees("1/(d-s)", {{"d", Stage::document, "tensor<float>(x[2]):[-0.0,0]"}, {"s", stage, "0"}}));
        EXPECT_TRUE(agrees("1/(d+s)", {{"d", Stage::document, "tensor<float>(x[2]):[-0.0,0]"}, {"s", stage, "-0.0"}}));
        EXPECT_TRUE(agrees("1/sum(d+0.25268025514207865,x)", {{"d", Stage::document, cells}, {"s", stage, "0"}}));
    }
}

TEST(Found, BitsOfEachDocumentTimesRowsOfTheQuery) {
    const Input bits = {"d", Stage::document, "tensor<int8>(t{},x[1]):{u:[3],v:[-1],w:[1]}",
                        "tensor<int8>(t{},x[1]):{v:[64]}"};
    EXPECT_TRUE(
        agrees("sum(q*unpack_bits(d),x)",
               {{"q", Stage::query, "tensor<float>(k{},x[8]):{a:[1,2,3,4,5,6,7,8],b:[8,7,6,5,4,3,2,1]}"}, bits}));
    EXPECT_TRUE(agrees("sum(q*unpack_bits(d),x)",
                       {{"q", Stage::query, "tensor<float>(k[2],x[8]):[[1,2,3,4,5,6,7,8],[8,7,6,5,4,3,2,1]]"}, bits}));
}

TEST(Found, ProductsOfLargeNumbersAreFloatsBeforeTheyAreAdded) {
    for (const char *number : {"7.7e193", "1e39", "3"}) {
        for (const char *text : {"s*d+e", "e+s*d", "sum(relu(s*d+e))", "s*d+e*s"}) {
            EXPECT_TRUE(agrees(text, {{"s", Stage::document, number, "2"},
                                      {"d", Stage::document, "tensor<float>(x[3]):[1,-67,0.1]"},
                                      {"e", Stage::document, "tensor<float>(x[3]):[-inf,inf,0.3]"}}));
            EXPECT_TRUE(agrees(text, {{"s", Stage::query, number},
                                      {"d", Stage::query, "tensor<int8>(k{},x[1]):{b:[-67]}"},
                                      {"e", Stage::document, "tensor<float>(k{},x[1]):{b:[inf],c:[2]}"}}));
        }
    }
}

TEST(Found, NumbersBeyondFloatsAreNoFactorsOfFloatCells) {
    for (const char *number : {"1e39", "1e300", "1e-50"}) {
        for (const char *cells : {"tensor<bfloat16>(x[2]):[0,-1.75]", "tensor<float>(x[2]):[1e-30,3e38]"}) {
            EXPECT_TRUE(
                agrees(std::string("sum(") + cells + "*(s*" + number + "))", {{"s", Stage::document, "0", "1e-30"}}));
        }
    }
}

TEST(Found, DoublesForEachElementOfAScopeBesideFloats) {
    const std::string largest = "reduce(cell_cast(tensor(z[2])(z+y),bfloat16)+";
    for (const std::string number : {"(!(d*(y~=d)))", "(y*d)", "sin(y+d)*1e39"}) {
        const std::string each = largest + number;
        for (const Input &input : {Input{"d", Stage::query, "0"}, Input{"d", Stage::document, "0", "0.3"}}) {
            EXPECT_TRUE(agrees("tensor<bfloat16>(y[3])(" + each + ",max))", {input}));
            EXPECT_TRUE(agrees("tensor<float>(y[3])(" + each + ",sum))", {input}));
        }
    }
}

// Renamed, the dimension of the bits is not the last one any more.
TEST(Found, BitsOfBitsUnderOtherNames) {
    for (const char *const order : {"big", "little"}) {
        EXPECT_TRUE(
            agrees("unpack_bits(unpack_bits(rename(d,(z,x),(x,z)),int8,little),float," + std::string(order) + ")",
                   {{"d", Stage::document, "tensor<int8>(x[2],z[3]):[[1,2,3],[-4,5,6]]"}}));
    }
}

// Hundreds of values live while others come and go.
TEST(Found, HundredsOfValuesAtATime) {
    const auto list = [](std::size_t begin, std::size_t end) {
        std::string cells;
        for (std::size_t i = begin; i < end; ++i) {
            cells += (i == begin ? "" : ",") + ("sum(d*tensor(x[2]):[" + std::to_string(i)) + ",1])";
        }
        return "tensor(r[" + std::to_string(end - begin) + "]):[" + cells + "]";
    };
    std::string rows = "tensor(x[2],y[16384]):[[0";
    for (std::size_t i = 1; i < std::size_t{2} * 16384; ++i) {
        rows += i == 16384 ? "],[0" : i % 100 == 0 ? ",0.01" : ",0";
    }
    EXPECT_TRUE(agrees(
        "sum(" + list(0, 600) + ")+sum(tanh(sum(w*d,x)))+sum(" + list(512, 600) + ")",
        {{"d", Stage::document, "tensor(x[2]):[0.5,-1]", "tensor(x[2]):[2,3]"}, {"w", Stage::constant, rows + "]]"}}));
}

// A sum begins with 0, and 0 + -0 is 0, also where there is one product alone.
TEST(Found, SumsOfNegativeZeros) {
    for (const char *const cells : {"tensor", "tensor<float>"}) {
        const auto type = [&](const char *dimensions) { return cells + ("(" + std::string(dimensions) + "):"); };
        for (const char *const labels : {"{a:-1.5}", "{a:-1.5,b:-2}", "{a:-1.5,b:-2,c:-3}"}) {
            for (const Stage stage : {Stage::query, Stage::document}) {
                EXPECT_TRUE(agrees("1/sum(w*b,k)", {{"w", stage, type("k{}") + labels},
                                                    {"b", Stage::document, type("k{},y[2]") + "{a:[0,0],b:[0,0]}"}}));
                EXPECT_TRUE(agrees("1/sum(w*b)", {{"w", stage, type("k{}") + labels},
                                                  {"b", Stage::document, type("k{}") + "{a:0,b:0}"}}));
            }
            EXPECT_TRUE(agrees("1/sum(w*0,k)", {{"w", Stage::document, type("k{}") + labels}}));
        }
        const std::vector<Input> dense = {{"a", Stage::document, type("x[3],y[2]") + "[[-0,-0],[-0,-0],[-0,-0]]"},
                                          {"r", Stage::document, type("x[1],y[2]") + "[[-0,-0]]"},
                                          {"v", Stage::document, type("x[3]") + "[1,2,3]"},
                                          {"n", Stage::document, "-0"}};
        for (const char *const sum : {"sum(a,x)", "sum(a,y)", "sum(a)", "sum(r,x)", "sum(r,y)", "sum(r)", "avg(a,x)",
                                      "sum(a*v,x)", "sum(a*v)", "matmul(a,v,x)", "sum(v*n)", "sum(v*n,x)", "sum(r*n,x)",
                                      "sum(tensor(k{}):{p:(n)})", "sum(n)", "reduce(r,sum,x,y)"}) {
            EXPECT_TRUE(agrees("1/" + std::string(sum), dense)) << sum;
        }
    }
}

// Nor is it -0 where a factor of all products is multiplied with their sum, or one sum with another.
TEST(Found, NegativeFactorsOfSumsThatAreZero) {
    for (const char *const cells : {"tensor", "tensor<float>"}) {
        const auto type = [&](const char *dimensions) { return cells + ("(" + std::string(dimensions) + "):"); };
        for (const Stage stage : {Stage::constant, Stage::query, Stage::document}) {
            const std::vector<Input> inputs = {{"n", stage, "-2"},
                                               {"a", Stage::document, type("k{}") + "{a:1,b:2}"},
                                               {"b", Stage::document, type("k{}") + "{c:3}"},
                                               {"u", Stage::document, type("x[3]") + "[1,-1,0]"},
                                               {"v", Stage::document, type("x[3]") + "[1,1,0]"},
                                               {"w", Stage::document, type("x[3]") + "[0,0,0]"},
                                               {"r", Stage::document, type("y[3]") + "[1,1,1]"},
                                               {"s", stage, type("y[3]") + "[-1,0,-2]"}};
            for (const char *const sum :
                 {"sum(a*b*n)", "sum(a*n*b)", "sum(a*b*(-0.5))", "sum(u*v*n)", "sum(n*u*v*0.5)", "sum(u*v*(-3))",
                  "sum(u*v*r*s)", "sum(sum(u*v)*sum(r*s))", "sum(u*v*s,x)", "sum(u*v*n*s,x)", "sum(a*b*s,k)",
                  "sum(a*b*r*n,k)", "avg(u*v*n)", "sum(-(u*v))", "sum(u*v/n)", "sum(w*n)", "sum(w*n,x)"}) {
                EXPECT_TRUE(agrees("1/" + std::string(sum), inputs)) << sum;
            }
        }
    }
}

// Sums of products of int8 cells are exact, also of those that are made bfloat16 first: float has no 2^24 + 1.
TEST(Found, Int8CellsThatAreMadeBfloat16) {
    for (const std::size_t count : {1041, 1042}) {
        std::string dense = "tensor<int8>(x[" + std::to_string(count) + "]):[127";
        std::string sparse = "tensor<int8>(k{}):{0:127";
        for (std::size_t i = 1; i < count; ++i) {
            dense += ",127";
            sparse += "," + std::to_string(i) + ":127";
        }
        const std::vector<Input> inputs = {{"a", Stage::document, dense + "]"},
                                           {"q", Stage::query, dense + "]"},
                                           {"s", Stage::document, sparse + "}"},
                                           {"t", Stage::query, sparse + "}"}};
        for (const char *const text :
             {"sum(cell_cast(a,bfloat16)*cell_cast(a,bfloat16))", "sum(cell_cast(a,bfloat16)*q)",
              "sum(cell_cast(s,bfloat16)*cell_cast(s,bfloat16))", "sum(cell_cast(s,bfloat16)*t)"}) {
            EXPECT_TRUE(agrees(text, inputs)) << text;
        }
    }
}

// Cells that lose their signs alone are stored cells: float would lose the small ones beside the large one.
TEST(Found, SumsOfAbsoluteCells) {
    std::string dense = "x[100]):[3e15";
    std::string sparse = "k{},x[5]):{0:[3e15,1,-3,7,9]";
    for (int i = 1; i < 100; ++i) {
        dense += i % 2 != 0 ? ",-1" : ",3";
        sparse += "," + std::to_string(i) + ":[-1,3,-5,7,-9]";
    }
    for (const std::string type : {"tensor<float>(", "tensor<bfloat16>("}) {
        const std::vector<Input> inputs = {{"a", Stage::document, type + dense + "]"},
                                           {"s", Stage::document, type + sparse + "}"},
                                           {"n", Stage::document, "1"}};
        for (const char *const text : {"sum(fabs(a))", "avg(abs(a))", "sum(fabs(s))", "sum(abs(s),x)", "sum(fabs(s),k)",
                                       "avg(fabs(if(n,s,s)))", "sum(fabs(a*a))", "sum(abs(-a))"}) {
            EXPECT_TRUE(agrees(text, inputs)) << text;
        }
    }
}

TEST(Found, SumsOfSquaresOfInt8Cells) {
    std::string cells = "tensor<int8>(x[1041]):[127";
    for (int i = 1; i < 1041; ++i) {
        cells += ",127";
    }
    for (const char *const text :
         {"sum(square(a))", "sum(fabs(square(a)))", "sum(fabs(a*a))", "sum(a^2)", "avg(square(a))"}) {
        EXPECT_TRUE(agrees(text, {{"a", Stage::document, cells + "]"}})) << text;
    }
}

}  // namespace
}  // namespace tenrex::differential
