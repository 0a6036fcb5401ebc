// Forests that LightGBM and XGBoost have trained give what the trainers predict: raw scores and values.
#include <gtest/gtest.h>

#include <bit>
#include <iostream>

#include <tenrex/expression.h>

#include "tests/forest/trained_models.h"

namespace tenrex {
namespace {

std::vector<double> cells(const Tensor &tensor) {
    if (tensor.type().is_scalar()) {
        return {tensor.as_double()};
    }
    std::vector<double> cells;
    for (std::size_t i = 0; i < tensor.type().block_cells(); ++i) {
        cells.push_back(tensor.cell(i));
    }
    return cells;
}

// The largest distances of a model.
struct Distances {
    std::uint64_t raw = 0;
    std::uint64_t value = 0;
};

std::uint64_t distance(const TrainedModel &model, const std::vector<double> &ours, const std::vector<double> &theirs) {
    std::uint64_t largest = ours.size() == theirs.size() ? 0 : UINT64_MAX;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        largest = std::max(largest, model.is_lightgbm ? units_between<double>(ours[i], theirs[i])
                                                      : units_between<float>(ours[i], theirs[i]));
    }
    return largest;
}

Distances distances(const TrainedModel &model, const Forest &forest) {
    Schema schema;
    for (const std::string &name : model.features) {
        schema.document(name);
    }
    schema.forest("m", forest);
    const auto raw = Expression::parse("forest(m).raw", schema);
    const auto value = Expression::parse("forest(m)", schema);
    Distances largest{UINT64_MAX, UINT64_MAX};
    if (!raw || !value) {
        ADD_FAILURE() << model.name << ": " << (raw ? value : raw).error().render();
        return largest;
    }
    largest = {};
    for (std::size_t row = 0; row < model.rows.size(); ++row) {
        std::vector<NamedTensor> inputs;
        for (std::size_t i = 0; i < model.features.size(); ++i) {
            inputs.emplace_back(model.features[i], Tensor(model.rows[row][i]));
        }
        const auto sums = raw->evaluate_reference(inputs);
        const auto values = value->evaluate_reference(inputs);
        if (!sums || !values) {
            ADD_FAILURE() << model.name << ": " << (sums ? values : sums).error().render();
            return {UINT64_MAX, UINT64_MAX};
        }
        largest.raw = std::max(largest.raw, distance(model, cells(*sums), model.raw[row]));
        largest.value = std::max(largest.value, distance(model, cells(*values), model.values[row]));
    }
    return largest;
}

TEST(TrainedForests, GiveWhatTheTrainersPredict) {
    const std::vector<TrainedModel> models = trained_models();
    ASSERT_GE(models.size(), 50U);
    for (const TrainedModel &model : models) {
        SCOPED_TRACE(model.name);
        EXPECT_GE(model.rows.size(), 100U);
        const auto forest = Forest::load(model.path, model.options);
        ASSERT_TRUE(forest.has_value()) << forest.error().render();
        const Distances largest = distances(model, *forest);
        std::cout << model.name << ": raw " << largest.raw << ", value " << largest.value << '\n';
        EXPECT_EQ(0U, largest.raw) << "of the raw scores, in units of the last place";
        EXPECT_LE(largest.value, 2U) << "of the values";
    }
}

TEST(TrainedForests, HaveTheContributionsOfTheTrainer) {
    std::size_t compared = 0;
    for (const TrainedModel &model : trained_models()) {
        std::filesystem::path path = model.path;
        std::ifstream file(path.replace_extension(".contributions"));
        if (!file || !model.path.ends_with(".txt")) {
            continue;
        }
        SCOPED_TRACE(model.name);
        const auto forest = Forest::load(model.path);
        ASSERT_TRUE(forest.has_value());
        std::string line;
        for (std::size_t row = 0; std::getline(file, line); ++row) {
            const auto ours = forest->contributions(used_values(*forest, model, row));
            ASSERT_TRUE(ours.has_value()) << ours.error().render();
            const std::vector<std::string> theirs = split_at_commas(line);
            ASSERT_EQ(theirs.size(), ours->size());
            const std::size_t columns = ours->size() / forest->outputs();
            for (std::size_t i = 0; i < theirs.size(); ++i) {
                EXPECT_NEAR(number_of(theirs[i]), (*ours)[i], 1e-12);
            }
            for (std::size_t output = 0; output < forest->outputs(); ++output) {
                double sum = 0;
                for (std::size_t i = 0; i < columns; ++i) {
                    sum += (*ours)[output * columns + i];
                }
                EXPECT_NEAR(model.raw[row][output], sum, 1e-12);
            }
            ++compared;
        }
    }
    EXPECT_GE(compared, 600U);
}

}  // namespace
}  // namespace tenrex
