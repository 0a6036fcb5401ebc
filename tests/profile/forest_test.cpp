// lightgbm("file") and xgboost("file") in rank profiles.
#include <cmath>

#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using testing::compiled;
using testing::Document;
using testing::Files;
using ::testing::HasSubstr;
using testing::profile_of;
using testing::score;

// first <= 1 ? 2 : -1, then second <= 5 ? 10 : 20.
std::string lightgbm_model(std::string_view first, std::string_view second) {
    std::string text = "tree\nnum_tree_per_iteration=1\nobjective=poisson\nfeature_names=";
    text += std::string(first) + " " + std::string(second) + "\n\n";
    for (const auto &[feature, threshold, left, right] : {std::tuple{0, 1, 2, -1}, {1, 5, 10, 20}}) {
        text += "Tree=" + std::to_string(feature) + "\nnum_leaves=2\nsplit_feature=" + std::to_string(feature) +
                "\nthreshold=" + std::to_string(threshold) +
                "\ndecision_type=8\nleft_child=-1\nright_child=-2\nleaf_value=" + std::to_string(left) + " " +
                std::to_string(right) + "\n\n\n";
    }
    return text + "end of trees\n";
}

// price < 3 ? 1 : 2; missing: 2. The base score 0.5 is 0 as a margin.
constexpr std::string_view xgboost_model = R"({"learner":{"feature_names":["price"],"feature_types":["float"],
"gradient_booster":{"name":"gbtree","model":{"tree_info":[0],"trees":[{"left_children":[1,-1,-1],
"right_children":[2,-1,-1],"split_indices":[0,0,0],"split_conditions":[3,1,2],"default_left":[0,0,0],
"loss_changes":[1,0,0],"sum_hessian":[2,1,1],"tree_param":{"size_leaf_vector":"1"}}]}},
"learner_model_param":{"base_score":"5E-1","num_class":"0","num_feature":"1"},
"objective":{"name":"binary:logistic"}}})";

double value_with(const std::string &model, std::string_view expression, std::string_view rest,
                  const Document &document, const std::vector<NamedTensor> &query = {}) {
    ProfileOptions options;
    options.undeclared_attributes = true;
    return score(compiled(profile_of(expression, rest), "test", options, {{"model.txt", model}}), document, query);
}

std::string error_of(std::string_view expression, std::string_view rest, Files files) {
    const auto profile = compile_text(profile_of(expression, rest), "test", {}, std::move(files));
    return profile ? "no error" : profile.error().message();
}

TEST(ProfileForest, GivesWhatItsTrainerGives) {
    const std::string model = lightgbm_model("attribute(price)", "attribute(age)");
    const Document document{{"attribute(price)", "1"}, {"attribute(age)", "6"}};
    EXPECT_EQ(22, value_with(model, "lightgbm(\"model.txt\").raw", "", document));
    EXPECT_EQ(std::exp(22.0), value_with(model, "lightgbm(\"model.txt\")", "", document));
    EXPECT_EQ(std::exp(22.0), value_with(model, "lightgbm(\"model.txt\").value", "", document));
    const Document cheap{{"attribute(price)", "2.5"}};
    const std::string margin(xgboost_model);
    EXPECT_EQ(1, value_with(margin, "xgboost(\"model.txt\")", "", cheap));
}

TEST(ProfileForest, FindsFeaturesByName) {
    const std::string model = lightgbm_model("boost", "age");
    const std::string_view rest =
        "inputs { query(age) double }\nfunction boost() { expression: attribute(price) / 10 }";
    const std::vector<NamedTensor> query{{"query(age)", Tensor(5.0)}};
    EXPECT_EQ(12, value_with(model, "lightgbm(\"model.txt\").raw", rest, {{"attribute(price)", "10"}}, query));
    EXPECT_EQ(9, value_with(model, "lightgbm(\"model.txt\").raw", rest, {{"attribute(price)", "11"}}, query));
    EXPECT_EQ(18 + 1.1,
              value_with(model, "2*lightgbm(\"model.txt\").raw+boost", rest, {{"attribute(price)", "11"}}, query));
}

TEST(ProfileForest, RefusesWhatIsMissing) {
    const std::string model = lightgbm_model("boost", "age");
    EXPECT_THAT(
        error_of("lightgbm(\"model.txt\")", "function age() { expression: 1 }", {{"model.txt", model}}),
        HasSubstr("model.txt needs the feature 'boost', which is no function, attribute or input of the query"));
    EXPECT_THAT(error_of("lightgbm(\"other.txt\")", "", {}), HasSubstr("there is no file other.txt"));
    EXPECT_THAT(error_of("lightgbm(\"model.txt\")", "", {{"model.txt", model.substr(0, 60)}}),
                HasSubstr("the model model.txt cannot be read"));
    EXPECT_THAT(error_of("lightgbm(\"model.txt\").out", "", {{"model.txt", model}}),
                HasSubstr("'lightgbm' has no output 'out'"));
    EXPECT_THAT(error_of("lightgbm(\"model.txt\",1)", "", {{"model.txt", model}}), HasSubstr("has 2 arguments"));
    EXPECT_THAT(error_of("lightgbm(\"model.txt\")",
                         "function age() { expression: 1 }\nfunction boost() { expression: lightgbm(\"model.txt\") }",
                         {{"model.txt", model}}),
                HasSubstr("a feature of model.txt depends on its value"));
}

}  // namespace
}  // namespace tenrex
