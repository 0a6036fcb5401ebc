// Forests in ONNX files: values worked out by hand, those of ONNX Runtime, and what is refused.
#include <gmock/gmock.h>

#include <cmath>
#include <optional>

#include "lib/forest/model.h"
#include "tests/forest/compiled_forest.h"
#include "tests/forest/trained_models.h"
#include "tests/onnx/forest_writer.h"

namespace tenrex::onnx {
namespace {

using ::testing::HasSubstr;

// One split of feature 1 at 2, and its two leaves: 10 where the test holds, else 20.
struct Stump {
    std::string mode = "BRANCH_LEQ";
    std::int64_t tracks = 0;
    std::int64_t when_true = 1;
    std::int64_t feature = 1;
    std::vector<std::string> more = {};
    std::optional<float> second = {};  // another tree, a leaf
};

// Of two classes, whose only leaf is for the second one.
std::string classifier(const std::string &labels) {
    return file(node("TreeEnsembleClassifier", {"x"}, {"label", "y"},
                     {integers("nodes_treeids", {0}), integers("nodes_nodeids", {0}), integers("nodes_featureids", {0}),
                      texts("nodes_modes", {"LEAF"}), floats("nodes_values", {0}), integers("nodes_truenodeids", {0}),
                      integers("nodes_falsenodeids", {0}), integers("class_treeids", {0}),
                      integers("class_nodeids", {0}), integers("class_ids", {1}), floats("class_weights", {3}), labels},
                     "ai.onnx.ml"));
}

std::string stump(const Stump &of) {
    const auto with_second = [&](auto list, auto value) {
        list.resize(list.size() + (of.second ? 1 : 0), static_cast<typename decltype(list)::value_type>(value));
        return list;
    };
    using Integers = std::vector<std::int64_t>;
    using Floats = std::vector<float>;
    using Texts = std::vector<std::string>;
    std::vector<std::string> attributes = {
        integers("nodes_treeids", with_second(Integers{0, 0, 0}, 1)),
        integers("nodes_nodeids", with_second(Integers{0, 1, 2}, 0)),
        integers("nodes_featureids", with_second(Integers{of.feature, 0, 0}, 0)),
        texts("nodes_modes", with_second(Texts{of.mode, "LEAF", "LEAF"}, "LEAF")),
        floats("nodes_values", with_second(Floats{2, 0, 0}, 0)),
        integers("nodes_truenodeids", with_second(Integers{of.when_true, 0, 0}, 0)),
        integers("nodes_falsenodeids", with_second(Integers{2, 0, 0}, 0)),
        integers("nodes_missing_value_tracks_true", with_second(Integers{of.tracks, 0, 0}, 0)),
        integers("target_treeids", with_second(Integers{0, 0}, 1)),
        integers("target_nodeids", with_second(Integers{1, 2}, 0)),
        integers("target_ids", with_second(Integers{0, 0}, 0)),
        floats("target_weights", with_second(Floats{10, 20}, of.second.value_or(0))),
    };
    attributes.insert(attributes.end(), of.more.begin(), of.more.end());
    return file(node("TreeEnsembleRegressor", {"x"}, {"y"}, attributes, "ai.onnx.ml"));
}

double value_at(const std::string &bytes, double x) {
    const auto forest = read_onnx_forest(bytes);
    if (!forest) {
        ADD_FAILURE() << forest.error().render();
        return NAN;
    }
    const auto values = values_of(*forest, {7, x}, "forest(m)");
    return values.empty() ? NAN : values[0];
}

TEST(TreeEnsemble, TestsAsEachModeSays) {
    struct Case {
        const char *mode;
        double below, at, above, missing, tracked;
    };
    for (const Case &each : {Case{"BRANCH_LEQ", 10, 10, 20, 20, 10}, Case{"BRANCH_LT", 10, 20, 20, 20, 10},
                             Case{"BRANCH_GTE", 20, 10, 10, 20, 10}, Case{"BRANCH_GT", 20, 20, 10, 20, 10},
                             Case{"BRANCH_EQ", 20, 10, 20, 20, 10}, Case{"BRANCH_NEQ", 10, 20, 10, 10, 10}}) {
        SCOPED_TRACE(each.mode);
        const std::string bytes = stump({.mode = each.mode});
        EXPECT_EQ(each.below, value_at(bytes, 1));
        EXPECT_EQ(each.at, value_at(bytes, 2));
        EXPECT_EQ(each.above, value_at(bytes, 3));
        EXPECT_EQ(each.missing, value_at(bytes, NAN));
        EXPECT_EQ(each.tracked, value_at(stump({.mode = each.mode, .tracks = 1}), NAN));
    }
}

TEST(TreeEnsemble, AddsBaseValuesAndAverages) {
    EXPECT_EQ(10.5, value_at(stump({.more = {floats("base_values", {0.5})}}), 1));
    const std::string average = text("aggregate_function", "AVERAGE");
    EXPECT_EQ(10, value_at(stump({.more = {average}}), 1));
    EXPECT_EQ(10.5, value_at(stump({.more = {average, floats("base_values", {0.5})}}), 1));
}

TEST(TreeEnsemble, TakesTheSmallestOrLargestOfItsTrees) {
    for (const auto &[function, expected] : {std::pair("MIN", 20 + 0.5), {"MAX", 100 + 0.5}}) {
        // A second tree, which is the leaf 100.
        std::vector<std::string> more = {text("aggregate_function", function), floats("base_values", {0.5})};
        const auto forest = read_onnx_forest(stump({.more = more, .second = 100}));
        ASSERT_TRUE(forest.has_value()) << forest.error().render();
        EXPECT_EQ(std::vector<double>{expected}, values_of(*forest, {7, 3}, "forest(m)"));
        EXPECT_EQ((std::vector<double>{20, 100}), values_of(*forest, {7, 3}, "forest(m).raw"));
    }
}

TEST(TreeEnsemble, TellsTheLabel) {
    const auto forest = load_onnx_forest("tests/onnx/forests/classifier_binary_labels.onnx");
    ASSERT_TRUE(forest.has_value());
    EXPECT_EQ(std::vector<double>{5}, values_of(*forest, {0.25, -1, 1.25, -0.5}, "forest(m).label"));
    const auto error = [](const Forest &model) {
        Schema schema;
        schema.document("f1").forest("m", model);
        const auto parsed = Expression::parse("forest(m).label", schema);
        return parsed ? std::string("none") : parsed.error().message();
    };
    EXPECT_THAT(error(*read_onnx_forest(stump({}))),
                HasSubstr("forest(m) has no label: the file has no numbers for its classes"));
    EXPECT_THAT(error(*read_onnx_forest(classifier(texts("classlabels_strings", {"no", "yes"})))),
                HasSubstr("forest(m) has no label: its labels are texts"));
}

TEST(TreeEnsemble, TransformsOneOutputAsOnnxRuntimeDoes) {
    EXPECT_EQ(10, value_at(stump({.more = {text("post_transform", "LOGISTIC")}}), 1));
    EXPECT_EQ(20, value_at(stump({.more = {text("post_transform", "SOFTMAX")}}), 3));
}

TEST(TreeEnsemble, KnowsTheColumnsOfItsInput) {
    const auto forest = read_onnx_forest(stump({}));
    ASSERT_TRUE(forest.has_value());
    EXPECT_EQ(2U, forest->features().size());
    EXPECT_EQ(std::vector<std::string>{"f1"}, forest->used_features());
    EXPECT_EQ("ONNX TreeEnsembleRegressor", forest->format());
}

TEST(TreeEnsemble, RefusesWithNodeAndAttribute) {
    const auto error = [](const std::string &bytes) {
        const auto forest = read_onnx_forest(bytes);
        return forest ? std::string("none") : forest.error().message();
    };
    const std::string begin = "node 'the_TreeEnsembleRegressor' of operator TreeEnsembleRegressor, attribute ";
    EXPECT_EQ(begin + "nodes_truenodeids: tree 0 has no node 9 (the file is damaged)", error(stump({.when_true = 9})));
    EXPECT_EQ(begin + "nodes_truenodeids: split 0 has two places in the trees (the file is damaged)",
              error(stump({.when_true = 0})));
    EXPECT_EQ(begin + "nodes_featureids: value 0 is -1; it must be from 0 to 1048575 (the file is damaged)",
              error(stump({.feature = -1})));
    EXPECT_EQ(
        begin + "nodes_modes: 'BRANCH_NEW' is no mode (BRANCH_LEQ, _LT, _GTE, _GT, _EQ, _NEQ and LEAF are possible)",
        error(stump({.mode = "BRANCH_NEW"})));
    EXPECT_EQ(begin + "aggregate_function: 'MEDIAN' is not known (SUM, AVERAGE, MIN and MAX are possible)",
              error(stump({.more = {text("aggregate_function", "MEDIAN")}})));
    EXPECT_EQ(begin +
                  "aggregate_function: MIN of the trees is not supported for 2 outputs (export a model for each "
                  "output)",
              error(stump({.more = {text("aggregate_function", "MIN"), integer_attribute("n_targets", 2)}})));
    EXPECT_EQ(
        begin + "post_transform: 'CUBE' is not known (NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO and PROBIT are possible)",
        error(stump({.more = {text("post_transform", "CUBE")}})));
    EXPECT_EQ(begin + "n_targets: there are 0 outputs; from 1 to 65536 are possible (the file is damaged)",
              error(stump({.more = {integer_attribute("n_targets", 0)}})));
    EXPECT_EQ(begin + "base_values: it has 2 values; there must be 1 (the file is damaged)",
              error(stump({.more = {floats("base_values", {1, 2})}})));
    EXPECT_EQ(
        "the model has no node with trees (TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble are read)",
        error(file(node("Relu", {"x"}, {"y"}))));
}

TEST(TreeEnsemble, EveryTruncatedFileIsRefused) {
    const std::string bytes = stump({});
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(read_onnx_forest(bytes.substr(0, size)).has_value()) << size;
    }
}

struct Distance {
    double value = 0;
    bool of_squares = false;
};

// Base values that are added to what is no sum are added in float by ONNX Runtime. PROBIT is the root of a difference
// of numbers near 4.3, which it takes in float.
Distance distance_of(const Forest &forest) {
    if (forest.objective() == "PROBIT") {
        return {1e-5, true};
    }
    const bool is_sum = forest.objective() == "NONE" && forest.model()->transform.offsets.empty();
    return {is_sum ? 0 : std::ldexp(1, -23)};
}

// The models and numbers of scripts/onnx-forests. check(forest, expected, how far values may be off). Sums are equal.
// ONNX Runtime takes the logistic of numbers below 0 as 1 - y in float: a unit next to 1 is off.
template <class Check>
void for_each_model(const Check &check) {
    std::size_t models = 0;
    for (const auto &entry : std::filesystem::directory_iterator("tests/onnx/forests")) {
        if (entry.path().extension() != ".onnx") {
            continue;
        }
        const TrainedModel expected = read_trained_model(entry.path());
        SCOPED_TRACE(expected.name);
        const auto forest = load_onnx_forest(expected.path);
        ASSERT_TRUE(forest.has_value()) << forest.error().render();
        ASSERT_GE(expected.rows.size(), 16U);
        check(*forest, expected, distance_of(*forest));
        ++models;
    }
    EXPECT_GE(models, 25U);
}

void expect_near(const std::vector<double> &expected, const std::vector<double> &values, Distance most,
                 std::size_t row) {
    ASSERT_EQ(expected.size(), values.size()) << "row " << row;
    const auto measure = [&](double x) { return most.of_squares ? x * x * (x < 0 ? -1 : 1) : x; };
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double distance = std::fabs(measure(expected[i]) - measure(values[i]));
        EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(values[i]) : distance <= most.value)
            << "row " << row << ": " << values[i] << ", not " << expected[i];
    }
}

TEST(TreeEnsemble, GivesWhatOnnxRuntimeDoes) {
    for_each_model([](const Forest &forest, const TrainedModel &expected, Distance most) {
        for (std::size_t row = 0; row < expected.rows.size(); ++row) {
            expect_near(expected.values[row], values_of(forest, expected.rows[row], "forest(m)"), most, row);
            if (!expected.labels[row].empty()) {
                EXPECT_EQ(expected.labels[row], values_of(forest, expected.rows[row], "forest(m).label")) << row;
            }
        }
    });
}

TEST(TreeEnsemble, CompiledGivesWhatOnnxRuntimeDoes) {
    for_each_model([](const Forest &forest, const TrainedModel &expected, Distance most) {
        for_each_plan(forest, expected.features, expected.rows, "forest(m)", [&](const auto &values) {
            for (std::size_t row = 0; row < values.size(); ++row) {
                expect_near(expected.values[row], values[row], most, row);
            }
        });
        if (expected.labels[0].empty()) {
            return;
        }
        for_each_plan(forest, expected.features, expected.rows, "forest(m).label",
                      [&](const auto &labels) { EXPECT_EQ(expected.labels, labels); });
    });
}

}  // namespace
}  // namespace tenrex::onnx
