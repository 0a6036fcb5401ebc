// What the parts of trees in ONNX files become: leaves of one output or of several, chains that are sets, other nodes.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "tests/onnx/forest_writer.h"

namespace tenrex::onnx {
namespace {

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

TEST(TreeEnsembleParts, LeavesOfTreesForOneOutputAreNumbers) {
    // As vectors they would be 2^16 x 2^16 doubles.
    const auto forest = read_onnx_forest(leaves_for_outputs(65536, 65536, false));
    ASSERT_TRUE(forest.has_value()) << forest.error().render();
    EXPECT_EQ(2U * 65536, forest->leaves());
    EXPECT_EQ(std::vector<double>({4.5, 2.5}),
              values_of(*read_onnx_forest(leaves_for_outputs(2, 3, false)), {1}, "forest(m)"));
}

TEST(TreeEnsembleParts, VectorsOfLeavesAreInProportionToTheFile) {
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

TEST(TreeEnsembleParts, ChainsOfEqualNumbersAreSets) {
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

TEST(TreeEnsembleParts, OtherNodesChangeNoScore) {
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

}  // namespace
}  // namespace tenrex::onnx
