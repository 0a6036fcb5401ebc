// Formulas on cells under labels: those with the same addresses are one step, whatever other values there are.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "lib/support/format.h"
#include "tests/optimizer/values.h"

namespace tenrex::optimizer::sparse_region_test {
namespace {

using random::Numbers;
using testing::HasSubstr;
using testing::Not;

constexpr Stage query = Stage::query, document = Stage::document;

// The plan, if the values are right.
std::string plan_of(const std::string &text, const std::vector<std::tuple<std::string, Stage, std::string>> &types,
                    Numbers numbers = Numbers::smooth) {
    std::vector<Values> inputs;
    for (const auto &[name, stage, type] : types) {
        inputs.push_back(random_values(name, stage, type, 9, numbers, inputs.size() + text.size()));
    }
    std::string plan;
    EXPECT_EQ(wrong_value(text, inputs, Agreement::within_bounds, nullptr, &plan), "");
    return plan;
}

TEST(SparseRegions, AreOneStep) {
    for (const std::string cells : {"float", "double", "bfloat16", "int8"}) {
        for (const std::string dimensions : {"k{}", "k{},x[5]", "j{},k{}", "k{},x[70]", "j{},k{},x[3],y[7]"}) {
            SCOPED_TRACE(cells + " " + dimensions);
            const std::tuple d("d", document, fmt::format("tensor<{}>({})", cells, dimensions));
            for (const Numbers numbers : {Numbers::smooth, Numbers::any}) {
                EXPECT_THAT(plan_of("relu(d*0.5+1)", {d}, numbers), HasSubstr("::tile_*"));
                EXPECT_THAT(plan_of("(d*d+d)/(1+d*d)", {d}, numbers), HasSubstr("::tile_*"));
                EXPECT_THAT(plan_of("sum(map(d,f(x)(if(x>0.5,x*2,x*0.25)+1)))", {d}, numbers), HasSubstr("::tile_*"));
                EXPECT_THAT(plan_of("abs(d*q-c)*q", {d, {"q", query, "double"}, {"c", Stage::constant, "double"}}),
                            HasSubstr("::tile_*"));
            }
        }
    }
}

TEST(SparseRegions, GoThroughCasts) {
    EXPECT_THAT(plan_of("cell_cast(cell_cast(d*0.3,float)*7,double)+1", {{"d", document, "tensor(k{},x[5])"}}),
                HasSubstr("convert"));
    EXPECT_THAT(plan_of("relu(cell_cast(d+d*d,bfloat16)*2+1)", {{"d", document, "tensor<float>(k{},x[5])"}}),
                HasSubstr("::tile_*"));
}

TEST(SparseRegions, OfValuesThatOtherStepsRead) {
    EXPECT_THAT(plan_of("sum((d*2+1)*exp(d*2+1),k)+reduce(d*2+1,max,k)", {{"d", document, "tensor<float>(k{},x[5])"}}),
                HasSubstr("::tile_*"));
    EXPECT_THAT(plan_of("relu((d*2+1)/sum(d*2+1,x)-1)", {{"d", document, "tensor<float>(k{},x[5])"}}),
                HasSubstr("subtract, relu"));
}

TEST(SparseRegions, OfWhatTheQueryBrings) {
    EXPECT_THAT(plan_of("sum(relu(q*0.5+1)*d)",
                        {{"q", query, "tensor<float>(k{},x[5])"}, {"d", document, "tensor<float>(k{},x[5])"}}),
                HasSubstr("::tile_*"));
}

// Cells that all blocks share are part of it.
TEST(SparseRegions, BesideCellsThatAllBlocksShare) {
    for (const std::string cells : {"float", "double", "bfloat16"}) {
        for (const std::string dimensions : {"x[5]", "x[64]", "x[700]"}) {
            SCOPED_TRACE(cells + " " + dimensions);
            const std::tuple d("d", document, fmt::format("tensor<{}>(k{{}},{})", cells, dimensions));
            const std::tuple q("q", query, fmt::format("tensor<{}>({})", cells, dimensions));
            EXPECT_THAT(plan_of("relu(d*q-q)*2", {d, q}), HasSubstr("relu, multiply"));
        }
    }
    const std::tuple d("d", document, "tensor<float>(k{},x[5],y[7])");
    for (const char *dimensions : {"y[7]", "x[5]"}) {
        EXPECT_THAT(plan_of("relu(d*q)*2", {d, {"q", query, fmt::format("tensor<float>({})", dimensions)}}),
                    HasSubstr("multiply, relu, multiply"));
    }
    const std::tuple rows("d", document, "tensor<float>(k{},x[3],y[48])");
    EXPECT_THAT(plan_of("relu(d*q)*2", {rows, {"q", query, "tensor<float>(x[3])"}}),
                HasSubstr("multiply, relu, multiply"));
}

// Cells of each block that has some of the dimensions of the others are part of it.
TEST(SparseRegions, BesideFewerCellsOfEachBlock) {
    for (const std::string cells : {"float", "bfloat16"}) {
        for (const std::string dimensions : {"x[5]", "x[64]", "x[300]", "x[3],y[48]"}) {
            SCOPED_TRACE(cells + " " + dimensions);
            const std::tuple d("d", document, fmt::format("tensor<{}>(k{{}},{})", cells, dimensions));
            const std::tuple q("q", query, fmt::format("tensor<float>({})", dimensions));
            const std::string rows = dimensions.find('y') == std::string::npos ? "x" : "y";
            EXPECT_THAT(plan_of(fmt::format("relu((d-reduce(d,max,{0}))*q+1)*reduce(d,min,{0})", rows), {d, q}),
                        HasSubstr("operations on cells"));
            EXPECT_THAT(plan_of(fmt::format("sum(exp(d*0.01-reduce(d,avg,{}))*2,k)", rows), {d}),
                        HasSubstr("::tile_*"));
        }
    }
}

// So is what other steps make of the same blocks.
TEST(SparseRegions, BesideWhatIsMadeOfTheSameBlocks) {
    const std::tuple d("d", document, "tensor<float>(k{},x[24])");
    const std::tuple w("w", query, "tensor<float>(x[24],y[40])");
    const std::tuple b("b", query, "tensor<float>(y[40])");
    EXPECT_THAT(plan_of("relu(sum(d*w,x)*reduce(d,max,x)*b)-reduce(d,min,x)*b", {d, w, b}),
                HasSubstr("5 operations on cells"));
    EXPECT_THAT(plan_of("(softmax(d,x)-sum(d,x))*2+cell_cast(d,int8)", {d}), HasSubstr("subtract, multiply_add"));
    EXPECT_THAT(plan_of("relu(rename(sum(d*w,x),k,l)*2+rename(reduce(d,max,x),k,l)*b)", {d, w, b}),
                HasSubstr("multiply, multiply_add, relu"));
}

// One step of its own, for blocks of whole vectors and others.
TEST(SparseRegions, ANumberForEachBlockIsBroadcast) {
    for (const std::string cells : {"float", "double", "bfloat16", "int8"}) {
        for (const std::string dimensions : {"x[5]", "x[16]", "x[64]", "x[3],y[48]", "x[1040]"}) {
            SCOPED_TRACE(cells + " " + dimensions);
            const std::tuple a("a", document, fmt::format("tensor<{}>(k{{}},{})", cells, dimensions));
            for (const Stage stage : {query, document}) {
                const std::tuple b("b", stage, "tensor<float>(k{})");
                const std::tuple c("c", document, fmt::format("tensor<float>(k{{}},{})", dimensions));
                for (const char *text : {"a*b", "sum(a-b,k)", "sum(a*b,x)", "if(a<b,c,c*2)", "c*b+a"}) {
                    plan_of(text, {a, b, c});
                }
            }
        }
    }
}

// A number of each document is part of it for the blocks that the document has.
TEST(SparseRegions, BesideANumberOfEachDocument) {
    for (const std::string dimensions : {"k{}", "k{},x[5]", "k{},x[64]", "k{},x[300]"}) {
        for (const std::string cells : {"float", "double", "bfloat16"}) {
            SCOPED_TRACE(cells + " " + dimensions);
            const std::tuple d("d", document, fmt::format("tensor<{}>({})", cells, dimensions));
            EXPECT_THAT(plan_of("relu(d*s-t)*s", {d, {"s", document, "double"}, {"t", document, "double"}}),
                        HasSubstr("document: 1 step,"));
            EXPECT_THAT(plan_of("relu(d-reduce(d,avg))*2", {d}), HasSubstr("relu, multiply"));
        }
    }
}

// The labels of two values must be joined first; a row of each document is no part of a run.
TEST(SparseRegions, HaveTheSameAddresses) {
    const std::tuple d("d", document, "tensor<float>(k{},x[5])");
    EXPECT_THAT(plan_of("relu(d*e+1)", {d, {"e", document, "tensor<float>(k{},x[5])"}}),
                Not(HasSubstr("multiply_add, relu")));
    EXPECT_THAT(plan_of("relu(d+e)*2", {d, {"e", document, "tensor<float>(x[5])"}}), HasSubstr("relu, multiply"));
    EXPECT_THAT(plan_of("relu(d+e)+d", {d, {"e", query, "tensor<float>(k{})"}}), Not(HasSubstr("::tile_*")));
}

}  // namespace
}  // namespace tenrex::optimizer::sparse_region_test
