// Forests in ONNX files: values worked out by hand, those of ONNX Runtime, and what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <tenrex/expression.h>
#include <tenrex/onnx.h>

#include "tests/forest/compiled_forest.h"
#include "tests/forest/trained_models.h"
#include "tests/onnx/model_writer.h"

namespace tenrex::onnx {
namespace {

std::string integers(std::string_view name, const std::vector<std::int64_t> &values) {
    std::string bytes = bytes_field(1, name);
    for (const std::int64_t value : values) {
        bytes += number_field(8, static_cast<std::uint64_t>(value));
    }
    return bytes + number_field(20, 7);
}

std::string floats(std::string_view name, const std::vector<float> &values) {
    return bytes_field(1, name) +
           bytes_field(7, {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)}) +
           number_field(20, 6);
}

std::string texts(std::string_view name, const std::vector<std::string> &values) {
    std::string bytes = bytes_field(1, name);
    for (const std::string &value : values) {
        bytes += bytes_field(9, value);
    }
    return bytes + number_field(20, 8);
}

std::string text(std::string_view name, std::string_view value) {
    return bytes_field(1, name) + bytes_field(4, value) + number_field(20, 3);
}

std::string file(const std::string &node) {
    return model({{node}, {}, {value_info("x", {0, 2})}, {value_info("y", {0, 1})}, 17});
}

// One split of feature 1 at 2, and its two leaves: 10 where the test holds, else 20.
struct Stump {
    std::string mode = "BRANCH_LEQ";
    std::int64_t tracks = 0;
    std::int64_t when_true = 1;
    std::int64_t feature = 1;
    std::vector<std::string> more = {};
};

std::string stump(const Stump &of) {
    std::vector<std::string> attributes = {
        integers("nodes_treeids", {0, 0, 0}),
        integers("nodes_nodeids", {0, 1, 2}),
        integers("nodes_featureids", {of.feature, 0, 0}),
        texts("nodes_modes", {of.mode, "LEAF", "LEAF"}),
        floats("nodes_values", {2, 0, 0}),
        integers("nodes_truenodeids", {of.when_true, 0, 0}),
        integers("nodes_falsenodeids", {2, 0, 0}),
        integers("nodes_missing_value_tracks_true", {of.tracks, 0, 0}),
        integers("target_treeids", {0, 0}),
        integers("target_nodeids", {1, 2}),
        integers("target_ids", {0, 0}),
        floats("target_weights", {10, 20}),
    };
    attributes.insert(attributes.end(), of.more.begin(), of.more.end());
    return file(node("TreeEnsembleRegressor", {"x"}, {"y"}, attributes, "ai.onnx.ml"));
}

std::vector<double> values_of(const Forest &forest, const std::vector<double> &row, const char *expression) {
    Schema schema;
    std::vector<NamedTensor> inputs;
    for (std::size_t i = 0; i < row.size(); ++i) {
        schema.document("f" + std::to_string(i));
        inputs.emplace_back("f" + std::to_string(i), Tensor(row[i]));
    }
    schema.forest("m", forest);
    const auto parsed = Expression::parse(expression, schema);
    if (!parsed) {
        ADD_FAILURE() << parsed.error().render();
        return {};
    }
    const auto value = parsed->evaluate_reference(inputs);
    if (!value) {
        ADD_FAILURE() << value.error().render();
        return {};
    }
    std::vector<double> cells;
    for (std::size_t i = 0; i < value->type().block_cells(); ++i) {
        cells.push_back(value->cell(i));
    }
    return cells;
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
    EXPECT_EQ(10, value_at(stump({.more = {text("aggregate_function", "AVERAGE")}}), 1));
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

// So many trees of one leaf, each for one output; the first one for two outputs if asked for.
std::string leaves_for_outputs(std::int64_t outputs, std::int64_t trees, bool first_for_two) {
    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> targets;
    for (std::int64_t tree = 0; tree < trees; ++tree) {
        numbers.push_back(tree);
        targets.push_back(tree % outputs);
    }
    const std::vector<std::int64_t> zeros(numbers.size());
    std::vector<std::string> attributes = {
        integers("nodes_treeids", numbers),
        integers("nodes_nodeids", zeros),
        integers("nodes_featureids", zeros),
        texts("nodes_modes", std::vector<std::string>(numbers.size(), "LEAF")),
        floats("nodes_values", std::vector<float>(numbers.size())),
        integers("nodes_truenodeids", zeros),
        integers("nodes_falsenodeids", zeros),
        integer_attribute("n_targets", outputs),
        floats("base_values", std::vector<float>(static_cast<std::size_t>(outputs), 0.5F)),
    };
    if (first_for_two) {
        numbers.push_back(0);
        targets.push_back(1);
    }
    attributes.push_back(integers("target_treeids", numbers));
    attributes.push_back(integers("target_nodeids", std::vector<std::int64_t>(numbers.size())));
    attributes.push_back(integers("target_ids", targets));
    attributes.push_back(floats("target_weights", std::vector<float>(numbers.size(), 2)));
    return file(node("TreeEnsembleRegressor", {"x"}, {"y"}, attributes, "ai.onnx.ml"));
}

TEST(TreeEnsemble, LeavesOfTreesForOneOutputAreNumbers) {
    // As vectors they would be 2^16 x 2^16 doubles.
    const auto forest = read_onnx_forest(leaves_for_outputs(65536, 65536, false));
    ASSERT_TRUE(forest.has_value()) << forest.error().render();
    EXPECT_EQ(2U * 65536, forest->leaves());
    EXPECT_EQ(std::vector<double>({4.5, 2.5}),
              values_of(*read_onnx_forest(leaves_for_outputs(2, 3, false)), {1}, "forest(m)"));
}

TEST(TreeEnsemble, VectorsOfLeavesAreInProportionToTheFile) {
    EXPECT_EQ(std::vector<double>({4.5, 4.5}),
              values_of(*read_onnx_forest(leaves_for_outputs(2, 3, true)), {1}, "forest(m)"));
    const auto largest = read_onnx_forest(leaves_for_outputs(4096, 1023, true));
    EXPECT_TRUE(largest.has_value()) << largest.error().render();
    const auto refused = read_onnx_forest(leaves_for_outputs(4096, 1024, true));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(
        "node 'the_TreeEnsembleRegressor' of operator TreeEnsembleRegressor, attribute target_ids: 1024 leaves with "
        "values for 4096 outputs are too many for a file with 1025 weights (the most is 4194304 values; give each "
        "output trees of its own)",
        refused.error().message());
}

// A chain: f0 is one of the numbers ? a split of f1 at 2 (10 or 20) : 30. Each number has a split and leaves of its
// own, the last of which has the given value instead of 20.
std::string chain(const std::vector<float> &numbers, float last = 20) {
    std::vector<std::int64_t> ids, features, when_true, when_false, leaf_ids;
    std::vector<std::string> modes;
    std::vector<float> thresholds, weights;
    const auto add = [&](const char *mode, std::int64_t feature, float threshold, std::int64_t yes, std::int64_t no) {
        ids.push_back(static_cast<std::int64_t>(ids.size()));
        modes.emplace_back(mode);
        features.push_back(feature);
        thresholds.push_back(threshold);
        when_true.push_back(yes);
        when_false.push_back(no);
    };
    const auto leaf = [&](float weight) {
        leaf_ids.push_back(static_cast<std::int64_t>(ids.size()));
        weights.push_back(weight);
        add("LEAF", 0, 0, 0, 0);
    };
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto at = static_cast<std::int64_t>(ids.size());
        add("BRANCH_EQ", 0, numbers[i], at + 1, at + 4);
        add("BRANCH_LEQ", 1, 2, at + 2, at + 3);
        leaf(10);
        leaf(i + 1 == numbers.size() ? last : 20);
    }
    leaf(30);
    const std::vector<std::int64_t> zeros(ids.size());
    return file(node(
        "TreeEnsembleRegressor", {"x"}, {"y"},
        {integers("nodes_treeids", zeros), integers("nodes_nodeids", ids), integers("nodes_featureids", features),
         texts("nodes_modes", modes), floats("nodes_values", thresholds), integers("nodes_truenodeids", when_true),
         integers("nodes_falsenodeids", when_false),
         integers("target_treeids", std::vector<std::int64_t>(weights.size())), integers("target_nodeids", leaf_ids),
         integers("target_ids", std::vector<std::int64_t>(weights.size())), floats("target_weights", weights)},
        "ai.onnx.ml"));
}

TEST(TreeEnsemble, ChainsOfEqualNumbersAreSets) {
    const auto forest = read_onnx_forest(chain({7, 1, -3, 7}));
    ASSERT_TRUE(forest.has_value()) << forest.error().render();
    EXPECT_EQ(1U, forest->features()[0].splits);
    EXPECT_EQ(1U, forest->features()[1].splits);
    EXPECT_EQ(3U, forest->leaves());
    for (const double number : {7.0, 1.0, -3.0}) {
        EXPECT_EQ(std::vector<double>{10}, values_of(*forest, {number, 2}, "forest(m)"));
        EXPECT_EQ(std::vector<double>{20}, values_of(*forest, {number, 3}, "forest(m)"));
    }
    EXPECT_EQ(std::vector<double>{30}, values_of(*forest, {2, 2}, "forest(m)"));
    EXPECT_EQ(std::vector<double>{30}, values_of(*forest, {NAN, 2}, "forest(m)"));

    const auto uneven = read_onnx_forest(chain({7, 1, -3}, 21));
    ASSERT_TRUE(uneven.has_value());
    EXPECT_EQ(2U, uneven->features()[0].splits) << "the last number leads to something else";
    EXPECT_EQ(std::vector<double>{20}, values_of(*uneven, {1, 3}, "forest(m)"));
    EXPECT_EQ(std::vector<double>{21}, values_of(*uneven, {-3, 3}, "forest(m)"));
}

TEST(TreeEnsemble, OtherNodesChangeNoScore) {
    const std::string trees = leaves_for_outputs(2, 3, false);
    const auto with = [&](const std::string &other) {
        return read_onnx_forest(trees + bytes_field(7, bytes_field(1, other)));
    };
    EXPECT_TRUE(with(node("ZipMap", {"y"}, {"z"}, {}, "ai.onnx.ml")).has_value());
    EXPECT_TRUE(with(node("Cast", {"y"}, {"z"})).has_value());
    for (const auto &[other, where] : {std::pair(node("Normalizer", {"y"}, {"z"}, {}, "ai.onnx.ml"), "beside"),
                                       {node("Cast", {"w"}, {"x"}), "before"}}) {
        const auto forest = with(other);
        ASSERT_FALSE(forest.has_value());
        EXPECT_NE(std::string::npos, forest.error().message().find(fmt::format("stands {} the trees", where)))
            << forest.error().message();
    }
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
    EXPECT_EQ(begin +
                  "aggregate_function: 'MIN' is not supported (a forest is a sum or an average; export the model with "
                  "one of these)",
              error(stump({.more = {text("aggregate_function", "MIN")}})));
    EXPECT_EQ(
        begin + "post_transform: 'PROBIT' is not supported (NONE, LOGISTIC, SOFTMAX and SOFTMAX_ZERO are possible)",
        error(stump({.more = {text("post_transform", "PROBIT")}})));
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

// The models and numbers of scripts/onnx-forests.
TEST(TreeEnsemble, GivesWhatOnnxRuntimeDoes) {
    std::size_t compared = 0;
    for (const auto &entry : std::filesystem::directory_iterator("tests/onnx/forests")) {
        if (entry.path().extension() != ".onnx") {
            continue;
        }
        const TrainedModel expected = read_trained_model(entry.path());
        SCOPED_TRACE(expected.name);
        const auto forest = load_onnx_forest(expected.path);
        ASSERT_TRUE(forest.has_value()) << forest.error().render();
        // Sums are equal. ONNX Runtime takes the logistic of numbers below 0 as 1 - y in float: a unit next to 1 is
        // off.
        const double most = forest->objective() == "NONE" ? 0 : std::ldexp(1, -23);
        for (std::size_t row = 0; row < expected.rows.size(); ++row) {
            const std::vector<double> ours = values_of(*forest, expected.rows[row], "forest(m)");
            ASSERT_EQ(expected.values[row].size(), ours.size());
            for (std::size_t i = 0; i < ours.size(); ++i) {
                if (std::isnan(expected.values[row][i])) {
                    EXPECT_TRUE(std::isnan(ours[i])) << "row " << row;
                } else {
                    EXPECT_NEAR(expected.values[row][i], ours[i], most) << "row " << row;
                }
                ++compared;
            }
        }
    }
    EXPECT_GE(compared, 300U);
}

TEST(TreeEnsemble, CompiledGivesWhatOnnxRuntimeDoes) {
    std::size_t models = 0;
    for (const auto &entry : std::filesystem::directory_iterator("tests/onnx/forests")) {
        if (entry.path().extension() != ".onnx") {
            continue;
        }
        const TrainedModel expected = read_trained_model(entry.path());
        SCOPED_TRACE(expected.name);
        const auto forest = load_onnx_forest(expected.path);
        ASSERT_TRUE(forest.has_value()) << forest.error().render();
        const double most = forest->objective() == "NONE" ? 0 : std::ldexp(1, -23);
        for_each_plan(*forest, expected.features, expected.rows, "forest(m)", [&](const auto &values) {
            for (std::size_t row = 0; row < values.size(); ++row) {
                for (std::size_t i = 0; i < values[row].size(); ++i) {
                    const double theirs = expected.values[row].at(i);
                    EXPECT_TRUE(std::isnan(theirs) ? std::isnan(values[row][i])
                                                   : std::fabs(theirs - values[row][i]) <= most)
                        << "row " << row << ": " << values[row][i] << ", not " << theirs;
                }
            }
        });
        ++models;
    }
    EXPECT_GE(models, 15U);
}

}  // namespace
}  // namespace tenrex::onnx
