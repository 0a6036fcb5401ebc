// Ranks, and the blocks with the lowest ones.
#include <limits>
#include <string>

#include <gmock/gmock.h>

#include "tests/optimizer/values.h"

namespace tenrex::optimizer {
namespace {

using random::Numbers;

// Many blocks, in no order, with few distinct cells and some NaN; labels are numbers and texts.
Tensor blocks(std::size_t count, const std::string &type, unsigned seed) {
    TensorBuilder builder(*TensorType::parse(type));
    const std::size_t width = builder.type().mapped_count();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t number = i * 37 % 101;
        const std::string label = number % 4 == 0 ? "t" + std::to_string(number) : std::to_string(number);
        const std::vector<std::string_view> address(width, label);
        const double cell = (number * seed) % 9 == 8 ? std::numeric_limits<double>::quiet_NaN()
                                                     : static_cast<double>(number * seed % 11) - 5;
        builder.set(builder.block(address), 0, cell);
    }
    return std::move(builder).build();
}

Values documents(const std::string &type) {
    return {"t",
            Stage::document,
            {blocks(40, type, 3), blocks(0, type, 1), blocks(1, type, 5), blocks(101, type, 7), blocks(5, type, 0)}};
}

TEST(Order, OfTheHighestAndLowest) {
    for (const char *type : {"tensor(k{})", "tensor<float>(k{})", "tensor<bfloat16>(k{})", "tensor<int8>(k{})",
                             "tensor<float>(k{},l{})"}) {
        for (const double n :
             {0.0, 1.0, 2.0, 2.5, 5.0, 16.0, 17.0, 39.0, 1000.0, -1.0, 1e300, -1.0 / 0.0, 1.0 / 0.0, 0.0 / 0.0}) {
            const std::vector<Values> values = {documents(type), {"n", Stage::query, {Tensor(n)}}};
            for (const char *text : {"top(n,t)", "t*filter_subspaces(cell_order(t,min)<n,f(s)(s))"}) {
                std::string plan;
                EXPECT_EQ(wrong_value(text, values, Agreement::exact, nullptr, &plan), "")
                    << text << " " << type << " " << n;
                EXPECT_THAT(plan, testing::AnyOf(testing::HasSubstr("the highest blocks"),
                                                 testing::HasSubstr("the lowest blocks")));
                EXPECT_THAT(plan, testing::Not(testing::HasSubstr("order of cells")));
            }
        }
    }
}

TEST(Order, AggregatesOfTheHighest) {
    for (const char *type : {"tensor(k{})", "tensor<float>(k{})", "tensor<int8>(k{})"}) {
        for (const char *text : {"avg(top(2,t))", "sum(top(3,t))", "max(top(2,t))", "count(top(v,t))", "top(v,t)"}) {
            std::string plan;
            const std::vector<Values> values = {documents(type),
                                                random_values("v", Stage::document, "double", 5, Numbers::exact, 5)};
            EXPECT_EQ(wrong_value(text, values, Agreement::within_bounds, nullptr, &plan), "") << text << " " << type;
            EXPECT_THAT(plan, testing::HasSubstr("the highest blocks"));
        }
    }
    // Of the query, once per query; the number comes with the document, or the other way round.
    for (const char *text : {"top(v,u)", "top(2,u)*v"}) {
        const std::vector<Values> values = {{"u", Stage::query, {blocks(40, "tensor<float>(k{})", 3)}},
                                            random_values("v", Stage::document, "double", 5, Numbers::exact, 5)};
        EXPECT_EQ(wrong_value(text, values, Agreement::exact), "") << text;
    }
}

TEST(Order, RanksThatAreMoreThanAFilter) {
    const std::vector<Values> values = {
        documents("tensor<float>(k{})"),
        random_values("b", Stage::document, "tensor<float>(k{},x[3])", 5, Numbers::any, 5)};
    for (const char *text :
         {"cell_order(t,max)", "cell_order(t,min)+t", "cell_order(t*0,max)", "cell_order(t*0,min)", "cell_order(b,max)",
          "cell_order(b,min)", "t*filter_subspaces(cell_cast(cell_order(t,max),int8)<2,f(s)(s))",
          "t*filter_subspaces(cell_order(t*t,max)<2,f(s)(s))", "filter_subspaces(cell_order(t,max)<2,f(s)(s))",
          "cell_order(reduce(b,max,x),max)<2", "map_subspaces(b,f(s)(cell_order(s,max)))"}) {
        std::string plan;
        EXPECT_EQ(wrong_value(text, values, Agreement::exact, nullptr, &plan), "") << text;
        EXPECT_THAT(plan, testing::HasSubstr("order of cells")) << text;
    }
}

// In time that grows as the number of groups does: as its square it would be minutes.
TEST(Order, ManyGroups) {
    const std::vector<Values> inputs = {{"t", Stage::document, literals({"tensor(x[2]):[3,1]", "tensor(x[2]):[1,3]"})}};
    EXPECT_EQ(wrong_value("sum(tensor(i[400000])(cell_order(t+i,max){x:1}))", inputs, Agreement::exact), "");
    EXPECT_EQ(wrong_value("sum(tensor(i[300],j[250])(cell_order(t*(i-j),min){x:0}))", inputs, Agreement::exact), "");
}

}  // namespace
}  // namespace tenrex::optimizer
