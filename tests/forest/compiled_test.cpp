// Forests that LightGBM and XGBoost have trained, compiled: the trainer's raw scores to the last bit.
#include <gtest/gtest.h>

#include "tests/forest/compiled_forest.h"
#include "tests/forest/trained_models.h"

namespace tenrex {
namespace {

std::uint64_t largest_distance(const TrainedModel &model, const std::vector<std::vector<double>> &ours,
                               const std::vector<std::vector<double>> &theirs) {
    std::uint64_t largest = 0;
    for (std::size_t row = 0; row < theirs.size(); ++row) {
        if (ours[row].size() != theirs[row].size()) {
            return UINT64_MAX;
        }
        for (std::size_t i = 0; i < theirs[row].size(); ++i) {
            largest = std::max(largest, model.is_lightgbm ? units_between<double>(ours[row][i], theirs[row][i])
                                                          : units_between<float>(ours[row][i], theirs[row][i]));
        }
    }
    return largest;
}

TEST(CompiledForests, GiveWhatTheTrainersPredict) {
    for (const TrainedModel &model : trained_models()) {
        SCOPED_TRACE(model.name);
        const auto forest = Forest::load(model.path, model.options);
        ASSERT_TRUE(forest.has_value()) << forest.error().render();
        for_each_plan(*forest, model.features, model.rows, "forest(m).raw",
                      [&](const auto &values) { EXPECT_EQ(0U, largest_distance(model, values, model.raw)); });
        for_each_plan(*forest, model.features, model.rows, "forest(m)",
                      [&](const auto &values) { EXPECT_LE(largest_distance(model, values, model.values), 2U); });
    }
}

}  // namespace
}  // namespace tenrex
