// lightgbm("file") and xgboost("file") in rank profiles.
#include <gmock/gmock.h>

#include "tests/profile/scoring.h"

namespace tenrex {
namespace {

using testing::compile_text;
using testing::Files;
using ::testing::HasSubstr;
using testing::profile_of;

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

std::string error_of(std::string_view expression, std::string_view rest, Files files) {
    const auto profile = compile_text(profile_of(expression, rest), "test", {}, std::move(files));
    return profile ? "no error" : profile.error().message();
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
