// Models of XGBoost that were written by hand: linear ones, and the labels of categories.
#include <gtest/gtest.h>

#include <cmath>

#include <tenrex/expression.h>
#include <tenrex/forest.h>

namespace tenrex {
namespace {

std::string learner(const std::string &booster, const char *base_score = "[5E-1]") {
    return R"({"learner":{"feature_names":["a","b"],"feature_types":["float","c"],"gradient_booster":)" + booster +
           R"(,"learner_model_param":{"base_score":")" + base_score +
           R"(","num_class":"0","num_feature":"2","num_target":"1"},"objective":{"name":"reg:squarederror"}}})";
}

std::string linear(const std::string &weights) {
    return learner(R"({"model":{"weights":)" + weights + R"(},"name":"gblinear"})");
}

// b is in {1} ? 20 : 10.
std::string categorical(const std::string &labels) {
    return learner(
        R"({"model":{"cats":{"enc":)" + labels +
        R"(},"tree_info":[0],"trees":[{"base_weights":[0,10,20],"categories":[1],"categories_nodes":[0],)"
        R"("categories_segments":[0],"categories_sizes":[1],"default_left":[1,0,0],"left_children":[1,-1,-1],)"
        R"("loss_changes":[1,0,0],"right_children":[2,-1,-1],"split_conditions":[0,10,20],"split_indices":[1,0,0],)"
        R"("split_type":[1,0,0],"sum_hessian":[2,1,1],"tree_param":{"size_leaf_vector":"1"}}]},"name":"gbtree"})");
}

double value(const Forest &forest, double a, double b) {
    Schema schema;
    schema.document("a").document("b").forest("m", forest);
    const auto expression = Expression::parse("forest(m)", schema);
    EXPECT_TRUE(expression.has_value()) << expression.error().render();
    const auto value = expression->evaluate_reference({{"a", Tensor(a)}, {"b", Tensor(b)}});
    EXPECT_TRUE(value.has_value());
    return value->as_double();
}

std::string error_of(const std::string &text) {
    const auto forest = Forest::read(text);
    return forest ? std::string("none") : forest.error().message();
}

TEST(XgboostLinear, AddsProductsInFloat) {
    const auto forest = Forest::read(linear("[2,-0.5,0.25]"));
    ASSERT_TRUE(forest.has_value()) << forest.error().render();
    EXPECT_EQ("XGBoost gblinear", forest->format());
    EXPECT_EQ((std::vector<std::string>{"a", "b"}), forest->used_features());
    EXPECT_EQ(0.75 + 6 - 2, value(*forest, 3, 4));
    EXPECT_EQ(0.75 - 2, value(*forest, NAN, 4)) << "what is missing adds nothing";
    EXPECT_EQ(0.75, value(*forest, NAN, NAN));
    EXPECT_EQ(16777216, value(*Forest::read(linear("[1,1,-0.5]")), 16777216, 1)) << "2^24 + 1 is no float";
    EXPECT_EQ(2.75, value(*forest, 1 + 1e-12, 0)) << "features are floats";
    EXPECT_NE(std::string::npos, forest->contributions(std::vector<double>{1, 2}).error().message().find("linear"));
}

TEST(XgboostLinear, NeedsAWeightForEachFeature) {
    EXPECT_NE(std::string::npos,
              error_of(linear("[1,2]"))
                  .find("there are 2 weights for 2 features, a bias and 1 outputs (the file is damaged)"))
        << error_of(linear("[1,2]"));
    EXPECT_NE(std::string::npos, error_of(linear("\"x\"")).find("a list of numbers is expected"));
    EXPECT_NE(std::string::npos, error_of(learner(R"({"model":{},"name":"gbnew"})"))
                                     .find("the booster 'gbnew' is not known (gbtree, dart and gblinear can be read)"));
}

TEST(XgboostBaseScore, IsANumberOrAListAndItsErrorsSayWhere) {
    const std::string model = R"({"model":{"weights":[0,0,0]},"name":"gblinear"})";
    EXPECT_EQ(0.5, value(*Forest::read(learner(model, "5E-1")), 0, 0));
    EXPECT_EQ(0.5, value(*Forest::read(learner(model, "[5E-1]")), 0, 0));
    EXPECT_EQ("1:172: the base score \"[5E\" is no list of numbers (the file is damaged)",
              error_of(learner(model, "[5E")));
    EXPECT_EQ("1:172: there are 2 base scores for 1 outputs (the file is damaged)", error_of(learner(model, "[1,2]")));
}

TEST(XgboostSoftmax, RoundsDistancesToFloat) {
    const float sums[] = {0.1F, -20.3F, 5.7F};
    const std::string model =
        R"({"learner":{"feature_names":["a"],"feature_types":["float"],"gradient_booster":{"model":{"tree_info":[],)"
        R"("trees":[]},"name":"gbtree"},"learner_model_param":{"base_score":"[0.1,-20.3,5.7]","num_class":"3",)"
        R"("num_feature":"1","num_target":"1"},"objective":{"name":"multi:softprob"}}})";
    const auto forest = Forest::read(model);
    ASSERT_TRUE(forest.has_value()) << forest.error().render();
    Schema schema;
    schema.document("a").forest("m", *forest);
    const auto values = Expression::parse("forest(m)", schema)->evaluate_reference({{"a", Tensor(0.0)}});
    ASSERT_TRUE(values.has_value()) << values.error().render();
    double powers[3];
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        powers[k] = std::exp(static_cast<double>(sums[k] - sums[2]));
        sum += powers[k];
    }
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(1, values->cell(k) / (powers[k] / sum), 1e-12);
    }
}

TEST(XgboostCategories, HaveLabels) {
    const auto texts =
        Forest::read(categorical(R"([{"offsets":[],"values":[]},{"offsets":[0,1,3],"values":[114,-61,-74]}])"));
    ASSERT_TRUE(texts.has_value()) << texts.error().render();
    EXPECT_EQ(20.5, value(*texts, 0, 1));
    EXPECT_EQ(10.5, value(*texts, 0, 0));
    ASSERT_EQ(2U, texts->features().size());
    EXPECT_TRUE(texts->features()[0].categories.empty());
    const std::vector<Forest::Category> labels = texts->features()[1].categories;
    ASSERT_EQ(2U, labels.size());
    EXPECT_EQ("r", labels[0].label);
    EXPECT_EQ("\xC3\xB6", labels[1].label);
    EXPECT_EQ(1, labels[1].code);

    const auto numbers = Forest::read(categorical(R"([{"offsets":[],"values":[]},{"type":15,"values":[-2,1000000]}])"));
    ASSERT_TRUE(numbers.has_value()) << numbers.error().render();
    ASSERT_EQ(2U, numbers->features()[1].categories.size());
    EXPECT_EQ("-2", numbers->features()[1].categories[0].label);
    EXPECT_TRUE(Forest::read(categorical("[]")).has_value());
}

TEST(XgboostCategories, RefuseWhatIsDamaged) {
    EXPECT_NE(std::string::npos, error_of(categorical(R"([{"offsets":[0,9],"values":[114]}])"))
                                     .find("label 0 has no place among 1 bytes (the file is damaged)"));
    EXPECT_NE(std::string::npos,
              error_of(categorical(R"([{"offsets":[1,0],"values":[114]}])")).find("label 0 has no place"));
    EXPECT_NE(std::string::npos,
              error_of(categorical(R"([{"type":15,"values":[]},{"type":15,"values":[]},{"type":15,"values":[1]}])"))
                  .find("there are labels for feature 2 of 2"));
    EXPECT_NE(std::string::npos, error_of(categorical(R"([{"offsets":[0]}])")).find("values"));
}

}  // namespace
}  // namespace tenrex
