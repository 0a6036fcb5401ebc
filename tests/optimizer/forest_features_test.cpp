#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "lib/forest/model.h"
#include "tests/optimizer/graph_of.h"

namespace tenrex::optimizer::forest_features_test {
namespace {

// x < 0.1 ? 1 : 2, where x is rounded to float first if it says so.
Forest stump(bool float_features) {
    forest::Model model;
    model.forest.float_features = float_features;
    model.forest.initial = {0};
    model.forest.trees = {{0, 0}};
    model.forest.splits.resize(1);
    model.forest.splits[0].threshold = static_cast<double>(0.1F);
    model.forest.splits[0].when_true = ~0;
    model.forest.splits[0].when_false = ~1;
    model.forest.leaves = {1, 2};
    model.features = {{"x", true, false, {}}};
    return *Forest::build(std::move(model));
}

// The feature is the definition x.
Schema schema(std::string x, bool float_features) {
    Schema schema;
    schema.document("a").document("b").query("n").document("t", "tensor<float>(i[2])");
    schema.forest("m", stump(float_features), {"x"}).define("x", std::move(x)).define("score", "forest(m)");
    return schema;
}

constexpr const char *of_the_number = R"(
%0 = input "a" : double document
%1 = forest 1 trees, 1 splits %0 : double document
return %1
)";

TEST(ForestFeatures, AreTakenWithoutTheirRow) {
    for (const char *x : {"tensor(i[2]):[b,a]{i:1}", "tensor(i[2],k[2]):[[1,b],[a,2]]{i:1,k:0}",
                          "tensor(k{}):{p:b,q:a}{k:q}", "concat(concat(b,b,i),a,i){i:2}"}) {
        EXPECT_EQ(after("forest_features", "forest(m)", schema(x, false)), of_the_number) << x;
        EXPECT_EQ(after("forest_features", "forest(m)", schema(x, true)), of_the_number) << x;
    }
}

TEST(ForestFeatures, OnlyForestsThatRoundNeedNoRoundedNumbers) {
    EXPECT_EQ(after("forest_features", "forest(m)", schema("tensor<float>(i[1]):[a]{i:0}", true)), of_the_number);
    EXPECT_FALSE(changes("forest_features", "forest(m)", schema("tensor<float>(i[1]):[a]{i:0}", false)));
    EXPECT_FALSE(changes("forest_features", "forest(m)", schema("tensor<bfloat16>(i[1]):[a]{i:0}", true)));
}

TEST(ForestFeatures, LeavesWhatIsNoPackedNumber) {
    for (const char *x : {"a", "t{i:1}", "tensor(i[2]):[a,b]{i:(n)}", "tensor(k{}):{p:a,q:b}{k:r}"}) {
        EXPECT_FALSE(changes("forest_features", "forest(m)", schema(x, true))) << x;
    }
}

TEST(ForestFeatures, KeepsValues) {
    const double near = static_cast<double>(0.1F);
    const std::vector<double> numbers = {near,
                                         std::nextafter(near, 0.0),
                                         std::nextafter(near, 1.0),
                                         0.1,
                                         -1.0,
                                         1e300,
                                         0.0,
                                         std::numeric_limits<double>::quiet_NaN()};
    for (const bool float_features : {false, true}) {
        for (const char *x : {"tensor<float>(i[1]):[a]{i:0}", "tensor<bfloat16>(i[1]):[a]{i:0}", "a"}) {
            const Schema with_forest = schema(x, float_features);
            const auto expression = Expression::parse("forest(m)", with_forest);
            const auto plan = compile("forest(m)", with_forest);
            ASSERT_TRUE(expression && plan);
            const auto query = plan->bind({});
            Context context(*plan);
            const std::vector<Column> columns{Column::dense(numbers.data(), sizeof(double))};
            std::vector<double> scores(numbers.size());
            ASSERT_TRUE(query->evaluate({numbers.size(), columns}, context, scores));
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                const auto expected = expression->evaluate_reference({{"a", Tensor(numbers[k])}});
                ASSERT_TRUE(expected.has_value());
                EXPECT_EQ(expected->as_double(), scores[k]) << numbers[k] << " as " << x;
            }
        }
    }
}

}  // namespace
}  // namespace tenrex::optimizer::forest_features_test
