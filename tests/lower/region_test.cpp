// Formulas on dense cells, which one step computes: right, and with the same bits for every number of documents, every
// way in which their cells may lie, and so for every place in a tile.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/program/dense/region_code.h"
#include "tests/lower/formula_check.h"

namespace tenrex {
namespace {

TEST(Regions, OfNumbers) {
    const std::vector<Input> inputs = {{"a", Stage::document}, {"b", Stage::document}, {"c", Stage::query}};
    for (const char *text : {
             "a*0.5+b*0.25+c-a*b-3*b+max(a,b)-min(a,2)",
             "if(a<b,exp(a*0.1),log(abs(b)+1))+if(a in [1,2.5,3],c,-c)",
             "if(a<b,a,b)+if(a>1,2,b)+if(a>=b,c,a*2)+if(a<=2,1,0)+if(a==b,a,c)+if(b!=1,b,a)",
             "if(a/0>b,a,b)+if(a/0!=b/0,a,3)+if(a>b,if(a<c,a+1,b),if(b>=2,c,a))",
             "if(a<b,a,b)+(a<b)+if(!(a<b),b,c)",
             "sqrt(abs(a))+sin(b)*cos(a)+pow(abs(a)+1,b)+atan2(a,b)",
             "(a>1&&b<2)+(a==b)+(a!=c)+!(a>=b||a<=c)+isNan(a/0)",
             "fmod(a,3)+floor(b)+ceil(a)+sigmoid(b)+tanh(a)+relu(a)+elu(b)+erf(a)+ldexp(a,2)+bit(a,1)+hamming(a,b)",
             "a-(b-(c-(a+b)))",
             "a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b+a+b",
         }) {
        check(text, inputs);
    }
}

TEST(Regions, OfVectors) {
    for (const char *size : {"1", "3", "5", "16", "64", "127", "200", "600"}) {
        const std::string dimensions = std::string("(x[") + size + "])";
        for (const char *type : {"<float>", "<bfloat16>", "<int8>", ""}) {
            const std::vector<Input> inputs = {{"v", Stage::document, "tensor" + (type + dimensions)},
                                               {"w", Stage::query, "tensor<float>" + dimensions},
                                               {"s", Stage::document}};
            check("v*0.5+v*v-w*3", inputs);
            check("(v-s)*(v-s)+s", inputs);
            check("(v*s-w)*w+s", inputs);
            check("map(v,f(t)(if(t>0,t*2,t*0.1)+1))", inputs);
            check("cell_cast(v*2+1,float)/cell_cast(w+0.5,double)", inputs);
        }
    }
}

TEST(Regions, OfRowsBesideOneForAll) {
    for (const std::string rows : {"2", "7", "40"}) {
        for (const std::string cells : {"1", "3", "16", "100", "700"}) {
            for (const std::string type : {"<float>", "<bfloat16>", ""}) {
                const std::vector<Input> inputs = {
                    {"m", Stage::document, "tensor" + type + "(r[" + rows + "],x[" + cells + "])"},
                    {"w", Stage::query, "tensor<float>(x[" + cells + "])"},
                    {"b", Stage::query, "tensor" + type + "(x[" + cells + "])"}};
                check("relu(m*w+b)*2", inputs);
            }
        }
    }
}

TEST(Regions, OfTransposedMatrices) {
    for (const std::string rows : {"3", "65", "200"}) {
        for (const std::string columns : {"16", "21"}) {
            for (const std::string type : {"<float>", "<bfloat16>", ""}) {
                const std::string dimensions = "(x[" + rows + "],y[" + columns + "])";
                const std::string turned = "(x[" + columns + "],y[" + rows + "])";
                check("relu(m*2+rename(n,(x,y),(y,x)))", {{"m", Stage::document, "tensor" + (type + dimensions)},
                                                          {"n", Stage::document, "tensor" + (type + turned)}});
            }
        }
    }
    check("m*rename(n,(p,x,y),(y,p,x))-m", {{"m", Stage::document, "tensor<float>(p[5],x[18],y[19])"},
                                            {"n", Stage::document, "tensor(p[19],x[5],y[18])"}});
}

TEST(Regions, OfResultsOfOtherSteps) {
    const std::vector<Input> inputs = {{"v", Stage::document, "tensor<float>(x[200])"},
                                       {"m", Stage::document, "tensor<float>(x[200],y[3])"},
                                       {"s", Stage::document}};
    for (const char *text : {
             "sum(v)*0.5+s*sum(v*v)-2",
             "(v-avg(v))/(sqrt(avg((v-avg(v))*(v-avg(v))))+abs(s))",
             "reduce(v*2+1,max)+s*3-log(abs(s)+1)",
             "reduce((m*v+v)*2-s,sum,x)*s+1",
             "sum(v*s+1)*(s+2)+exp(sum(v*s+1)*0.001)*(s-1)",
         }) {
        check(text, inputs);
    }
}

// ---- the list of operations

program::RegionCode additions(std::size_t count) {
    program::RegionCode code;
    program::RegionValue input;
    input.kind = program::RegionValueKind::cells;
    std::uint32_t sum = code.add(input);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t next = code.add({});
        code.operations.push_back(
            {program::RegionOperationKind::elementwise, kernels::ElementwiseOperation::add, {}, next, {sum, 0}});
        sum = next;
    }
    code.values[sum].to = {Stage::document, 0};
    return code;
}

TEST(MergeSums, KeepsASumInARegister) {
    program::RegionCode code = additions(5);
    merge_sums(code);
    ASSERT_EQ(code.operations.size(), 1u);
    EXPECT_EQ(code.name_of(code.operations[0]), "sum of 6 products");
    EXPECT_EQ(assign_rooms(code), 0u);
}

TEST(MergeSums, LeavesOneAdditionOrTwoAndLongSumsInParts) {
    program::RegionCode one = additions(1);
    merge_sums(one);
    EXPECT_EQ(one.name_of(one.operations[0]), "add");
    program::RegionCode two = additions(2);
    merge_sums(two);
    EXPECT_EQ(two.operations.size(), 2u);
    program::RegionCode many = additions(200);
    merge_sums(many);
    EXPECT_GT(many.operations.size(), 5u);
    EXPECT_LT(many.operations.size(), 10u);
}

TEST(MergeSums, LeavesWhatSomethingElseReads) {
    program::RegionCode code = additions(6);
    code.values[code.operations[2].result].to = {Stage::document, 1};
    merge_sums(code);
    ASSERT_EQ(code.operations.size(), 2u);
    EXPECT_EQ(code.name_of(code.operations[0]), "sum of 4 products");
    EXPECT_EQ(code.name_of(code.operations[1]), "sum of 4 products");
}

// value(0) < value(1) ? value(0) : value(1), once or twice.
program::RegionCode choices(kernels::ElementwiseOperation comparison, int times) {
    program::RegionCode code;
    program::RegionValue input;
    input.kind = program::RegionValueKind::cells;
    code.add(input);
    code.add(input);
    const std::uint32_t condition = code.add({});
    code.operations.push_back({program::RegionOperationKind::elementwise, comparison, {}, condition, {0, 1}});
    for (int i = 0; i < times; ++i) {
        code.operations.push_back({program::RegionOperationKind::elementwise,
                                   kernels::ElementwiseOperation::select,
                                   {},
                                   code.add({}),
                                   {0, 1, condition}});
    }
    return code;
}

TEST(MergeChoices, AComparisonChoosesAtOnce) {
    using enum kernels::ElementwiseOperation;
    using Operands = std::vector<std::uint32_t>;
    for (const auto &[comparison, name, operands] :
         {std::tuple(less, "choice if less", Operands{0, 1, 0, 1}),
          std::tuple(greater, "choice if less", Operands{0, 1, 1, 0}),
          std::tuple(less_equal, "choice if less_equal", Operands{0, 1, 0, 1}),
          std::tuple(greater_equal, "choice if less_equal", Operands{0, 1, 1, 0}),
          std::tuple(equal, "choice if equal", Operands{0, 1, 0, 1}),
          std::tuple(not_equal, "choice if equal", Operands{1, 0, 0, 1})}) {
        program::RegionCode code = choices(comparison, 2);
        merge_choices(code);
        ASSERT_EQ(code.operations.size(), 2u);
        EXPECT_EQ(code.name_of(code.operations[0]), name);
        EXPECT_EQ(code.operations[0].operands, operands);
        EXPECT_EQ(code.operations[1].operands, operands);
    }
}

TEST(MergeChoices, LeavesComparisonsThatSomethingElseReads) {
    using enum kernels::ElementwiseOperation;
    program::RegionCode output = choices(less, 1);
    output.values[output.operations[0].result].to = {Stage::document, 1};
    program::RegionCode summand = choices(less, 1);
    const std::uint32_t condition = summand.operations[0].result;
    summand.operations.push_back({program::RegionOperationKind::elementwise, add, {}, summand.add({}), {condition, 0}});
    program::RegionCode wider = choices(less, 1);
    wider.values[wider.operations[0].result].type = CellType::f32;
    for (program::RegionCode *const code : {&output, &summand, &wider}) {
        const std::size_t before = code->operations.size();
        merge_choices(*code);
        EXPECT_EQ(code->operations.size(), before);
        EXPECT_EQ(code->operations[1].kind, program::RegionOperationKind::elementwise);
    }
}

// What choices there are, by their names and operands.
std::vector<std::string> names_of(const program::RegionCode &code) {
    std::vector<std::string> names;
    for (const program::RegionOperation &operation : code.operations) {
        names.push_back(fmt::format("{} {}", code.name_of(operation), fmt::join(operation.operands, " ")));
    }
    return names;
}

// choice(value(0), value(1)) by a condition made of comparisons of the two, 2 and 3, that operations connect.
program::RegionCode connected(std::initializer_list<kernels::ElementwiseOperation> connections, int choices) {
    using enum kernels::ElementwiseOperation;
    program::RegionCode code;
    program::RegionValue input;
    input.kind = program::RegionValueKind::cells;
    code.add(input);
    code.add(input);
    const auto compute = [&](kernels::ElementwiseOperation operation, std::vector<std::uint32_t> operands) {
        const std::uint32_t result = code.add({});
        code.operations.push_back(
            {program::RegionOperationKind::elementwise, operation, {}, result, std::move(operands)});
        return result;
    };
    std::uint32_t condition = compute(less, {0, 1});
    for (const kernels::ElementwiseOperation connection : connections) {
        condition = compute(connection, {condition, compute(equal, {0, 1})});
    }
    for (int i = 0; i < choices; ++i) {
        compute(select, {0, 1, condition});
    }
    return code;
}

TEST(MergeChoices, EachComparisonOfAConditionChooses) {
    using enum kernels::ElementwiseOperation;
    program::RegionCode conjunction = connected({logical_and}, 1);
    merge_choices(conjunction);
    EXPECT_THAT(names_of(conjunction), testing::ElementsAre("choice if equal 0 1 0 1", "choice if less 6 1 0 1"));
    program::RegionCode disjunction = connected({logical_or}, 1);
    merge_choices(disjunction);
    EXPECT_THAT(names_of(disjunction), testing::ElementsAre("choice if equal 0 1 0 1", "choice if less 0 6 0 1"));
    // less and equal, or equal
    program::RegionCode both = connected({logical_and, logical_or}, 1);
    merge_choices(both);
    EXPECT_THAT(names_of(both),
                testing::ElementsAre("choice if equal 0 1 0 1", "choice if equal 0 8 0 1", "choice if less 9 8 0 1"));
}

TEST(MergeChoices, LeavesConnectionsThatAreReadTwice) {
    using enum kernels::ElementwiseOperation;
    program::RegionCode twice = connected({logical_and}, 2);
    program::RegionCode output = connected({logical_and}, 1);
    output.values[output.operations[2].result].to = {Stage::document, 1};
    for (program::RegionCode *const code : {&twice, &output}) {
        const std::vector<std::string> before = names_of(*code);
        merge_choices(*code);
        EXPECT_EQ(names_of(*code), before);
    }
}

TEST(MergeChoices, NanChoosesAtOnce) {
    using enum kernels::ElementwiseOperation;
    program::RegionCode code = choices(is_nan, 1);
    code.operations[0].operands = {1};
    merge_choices(code);
    EXPECT_THAT(names_of(code), testing::ElementsAre("choice if equal 1 0 1 1"));
}

TEST(AssignRooms, TakesAsFewAsThereAreValuesAtATime) {
    program::RegionCode code;
    program::RegionValue input;
    input.kind = program::RegionValueKind::cells;
    const std::uint32_t a = code.add(input);
    std::uint32_t value = a;
    for (int i = 0; i < 10; ++i) {
        const std::uint32_t next = code.add({});
        code.operations.push_back(
            {program::RegionOperationKind::elementwise, kernels::ElementwiseOperation::multiply, {}, next, {value, a}});
        value = next;
    }
    code.values[value].to = {Stage::document, 0};
    EXPECT_EQ(assign_rooms(code), 1u);
}

}  // namespace
}  // namespace tenrex
