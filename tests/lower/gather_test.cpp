// Generators whose cells come from places that are listed, before the documents are known or for each of them.
#include <limits>

#include <gmock/gmock.h>

#include <tenrex/plan.h>

#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

using random::Numbers;
using testing::HasSubstr;
using testing::Not;

const char *const cell_types[] = {"double", "float", "bfloat16", "int8"};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Values numbers(const std::string &name, const std::vector<double> &of_documents) {
    Values values{name, Stage::document, {}};
    for (const double number : of_documents) {
        values.of_documents.emplace_back(number);
    }
    return values;
}

std::vector<Values> inputs(const std::string &cell_type, double n) {
    const std::string type = "tensor<" + cell_type + ">";
    return {random_values("t", Stage::document, type + "(x[9])", 9, Numbers::any, 1),
            random_values("m", Stage::document, type + "(x[5],y[4])", 9, Numbers::any, 2),
            random_values("u", Stage::document, "tensor<float>(x[3],y[5])", 9, Numbers::any, 7),
            random_values("b", Stage::document, type + "(k{},x[9])", 9, Numbers::any, 3),
            random_values("q", Stage::query, "tensor<float>(x[6])", 1, Numbers::any, 4),
            random_values("o", Stage::query, "tensor(i[4])", 1, Numbers::exact, 5),
            numbers("v", {3, 0, 5, -2, 2.5, -0.5, 1e300, nan, -infinity}),
            numbers("w", {1, 4, -3, 2e12, 3, infinity, -1e13, 2, 7}),
            Values{"n", Stage::query, {Tensor(n)}}};
}

void check(const std::string &text, const char *step = "gather from") {
    for (const char *cell_type : cell_types) {
        for (const double n : {3.0, 0.0, -2.5, 2.5, 1e300, nan}) {
            std::string plan;
            EXPECT_EQ(wrong_value(text, inputs(cell_type, n), Agreement::exact, nullptr, &plan), "")
                << text << " " << cell_type << " " << n;
            EXPECT_THAT(plan, HasSubstr(step)) << text;
        }
    }
}

TEST(Gather, IndexesThatAreKnownWhenCompiling) {
    check("tensor<float>(z[7])(t{x:(6-z)})");                      // backwards
    check("tensor<int8>(z[4])(t{x:(z*2)})");                       // with steps
    check("tensor<float>(z[5],w[3])(t{x:(z+w)})");                 // from two indexes
    check("tensor(z[4])(m{x:(z),y:(z)})");                         // across
    check("tensor<bfloat16>(z[12])(t{x:(z-2)})");                  // beyond both ends
    check("tensor(z[9])(t{x:(z*5%9)})");                           // in no order: places
    check("tensor<float>(z[40])(t{x:(z*7%11)})");                  // and beyond the end
    check("tensor(z[3],y[4])(m{x:(z*2),y:(y)})");                  // whole rows
    check("tensor(z[4])(t{x:(tensor(i[4]):[3,1,8,20]{i:(z)})})");  // from a table
    check("map_subspaces(b,f(s)(tensor<float>(z[4])(s{x:(4-z)})))");
    check("map_subspaces(b,f(s)(tensor(z[4])(s{x:(z*3-1)})))");
    check("map_subspaces(b,f(s)(tensor(z[4])(s{x:(z+20)})))");  // zeros for blocks of which no index exists
}

TEST(Gather, IndexesOfTheQuery) {
    check("tensor<float>(z[7])(t{x:(z+n)})");
    check("tensor(z[4])(t{x:(o{i:(z)})})");
    check("tensor(z[4])(m{x:(n),y:(z*n)})");
    check("t{x:(n)}");
    check("m{y:(n)}");
    check("map_subspaces(b,f(s)(s{x:3}+s{x:(2-1)}+tensor(z[2])(s{x:(z*4)})))");
}

TEST(Gather, ChoicesBetweenPeeks) {
    check("tensor<float>(z[16])(if(z<1,101,if(z<4,q{x:(z-1)},if(z<5,102,t{x:(z-5)}))))");
    check("tensor<float>(z[16])(if(z<1,101,if(z<1+n,q{x:(z-1)},if(z<2+n,102,t{x:(z-2-n)}))))", "gather from 4 values");
    check("tensor(z[8])(if(z%2,t{x:(z)},m{x:(z/2),y:1}))");
    check("tensor<int8>(z[5])(if(n,t{x:(z*2)},z))");
    check("tensor<float>(z[5])(if(z<n,v,t{x:(z)}))");
    check("tensor<float>(z[9])(if(z<3,t{x:(z+2)},m{x:1,y:(z-3)}))");
    check("tensor<bfloat16>(z[5],w[2])(if(z==w,0.1,t{x:(z+w*n)}))");
    check("tensor(z[5])(if(z<n,t{x:(z)},0)*2+if(z<n,1,t{x:(8-z)}))");
    // The range keeps the name x, which the other branch peeks away.
    check("tensor(z[4],h[3])(if(z<n,t{x:(h)},t{x:(z*2)}))");
    check("tensor(z[4],h[5])(if(z<n,m{x:(h),y:0},m{x:(z),y:(n-z)}))");
    check("tensor<float>(z[3])(if(n,t{x:1},t{x:(z+1)}))");
}

TEST(Gather, IndexesThatTheDocumentsSplit) {
    for (const char *text :
         {"tensor<float>(z[16])(if(z<1,101,if(z<1+v,q{x:(z-1)},if(z<2+v,102,t{x:(z-2-v)}))))",
          "tensor(z[16])(if(z<=v,t{x:(z)},if(z>w,t{x:(z-w)},m{x:1,y:(z-v)})))",
          "tensor<int8>(z[16])(if(z-v<w,t{x:(z-v)},if(1+z-w>=n,t{x:(w+z)},u{x:2,y:(z-9+n)})))",
          "tensor(z[8])(if(z<v,t{x:(z)},2))", "tensor(z[9])(t{x:(z+v)})", "tensor<bfloat16>(z[9])(t{x:(v+z-w)})",
          "tensor(z[9],k[1])(t{x:(z-w)}+k)", "tensor<float>(z[9])(if(v>2,t{x:(z+w)},if(w,z,t{x:(z-w-v-n)})))",
          "tensor(z[9])(if(z<v,t{x:(z+w)},0.1))", "tensor<float>(z[9])(if(z>v,m{x:(z-2),y:3},if(z>n,w,t{x:(z-v)})))"}) {
        check(text, "gather indices of runs");
    }
}

TEST(Gather, WhatIsComputedCellByCell) {
    for (const char *text : {"t{x:(v)}", "tensor(z[5],w[3])(t{x:(z+v*w)})", "tensor(z[5])(m{x:(z-v),y:(z)})",
                             "m{x:(v)}", "tensor(z[3],y[4])(m{x:(z*v),y:(y)})", "tensor(z[5])(if(z<n,v,0))", "b{x:(n)}",
                             "b{x:(n*10)}", "tensor(z[5])(t{x:(v-z)})", "tensor(z[5])(t{x:(z/2+v)})",
                             "map_subspaces(b,f(s)(tensor(z[3])(s{x:(z+1)})))"}) {
        for (const char *cell_type : cell_types) {
            for (const double n : {3.0, -0.5}) {
                std::string plan;
                EXPECT_EQ(wrong_value(text, inputs(cell_type, n), Agreement::exact, nullptr, &plan), "")
                    << text << " " << cell_type;
                EXPECT_THAT(plan, Not(HasSubstr("gather from"))) << text;
            }
        }
    }
}

TEST(Gather, LongChains) {
    // More choices than are looked at for each cell, and more values than a step takes.
    std::string text = "t{x:(9-z)}";
    for (int i = 0; i < 300; ++i) {
        text = "if(z<" + std::to_string(i % 7) + "," + std::to_string(i) + "," + text + ")";
    }
    std::string plan;
    EXPECT_EQ(wrong_value("tensor(z[9])(" + text + ")", inputs("float", 1), Agreement::exact, nullptr, &plan), "");
    EXPECT_THAT(plan, HasSubstr("gather from 16 values"));
}

// Whether a constant holds the indexes of a generator is asked again and again, but its cells are looked at once: else
// this takes minutes.
TEST(Gather, LongChainsOfLargeGeneratorsCompileFast) {
    std::string text = "t{x:(z)}";
    for (int i = 0; i < 900; ++i) {
        text = "if(z<v+" + std::to_string(i) + "," + std::to_string(i) + "," + text + ")";
    }
    Schema schema;
    schema.document("v").document("t", "tensor(x[9])");
    const auto plan = compile("tensor(z[1000000])(" + text + ")", schema);
    EXPECT_TRUE(plan) << plan.error().message();
}

// A shift may be so large that a cell's place is beyond every number; such a cell is 0.
TEST(Gather, ShiftsBeyondAllPlaces) {
    const std::vector<Values> inputs = {
        random_values("t", Stage::query, "tensor<float>(x[2],y[1200000])", 1, Numbers::exact, 1),
        numbers("n", {0, 1e12, -1e12, 1})};
    std::string plan;
    EXPECT_EQ(wrong_value("tensor(z[3])(t{x:(z+n+n+n+n+n+n+n+n),y:7})", inputs, Agreement::exact, nullptr, &plan), "");
    EXPECT_THAT(plan, HasSubstr("gather from"));
}

}  // namespace
}  // namespace tenrex::optimizer
