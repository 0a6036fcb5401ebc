#include <tenrex/forest.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>

#include "lib/forest/contributions.h"
#include "lib/forest/model_builder.h"
#include "lib/forest/read_model.h"
#include "lib/support/format.h"

namespace tenrex {

Result<Forest> Forest::load(const std::string &path, const ForestOptions &options) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    if (!file.is_open() || file.bad()) {
        return Error(fmt::format("cannot read the model '{}'", path), "give the path of a file that can be read");
    }
    Result<Forest> forest = read(bytes, options);
    if (!forest) {
        Error error = std::move(forest).error();
        error.set_source_name(path);
        return error;
    }
    return forest;
}

Result<Forest> Forest::read(std::string_view bytes, const ForestOptions &options) {
    try {
        Result<forest::Model> model =
            forest::read_model(bytes, {options.feature_map, options.outputs, options.base_score});
        if (!model) {
            return std::move(model).error();
        }
        return Forest(std::make_shared<const forest::Model>(*std::move(model)));
    } catch (const std::bad_alloc &) {
        return Error("there is not enough memory for the model");
    }
}

Result<Forest> Forest::build(forest::Model model) {
    forest::ModelBuilder builder;
    builder.model = std::move(model);
    Result<forest::Model> built = std::move(builder).finish();
    if (!built) {
        return std::move(built).error();
    }
    return Forest(std::make_shared<const forest::Model>(*std::move(built)));
}

const std::string &Forest::format() const noexcept {
    return model_->format;
}

const std::string &Forest::objective() const noexcept {
    return model_->objective;
}

std::size_t Forest::trees() const noexcept {
    return model_->forest.trees.size();
}

std::size_t Forest::leaves() const noexcept {
    const forest::Forest &forest = model_->forest;
    return forest.vector_leaves ? forest.leaves.size() / forest.outputs : forest.leaves.size();
}

std::size_t Forest::depth() const noexcept {
    std::size_t deepest = 0;
    std::vector<std::pair<std::int32_t, std::size_t>> open;
    for (const forest::Tree &tree : model_->forest.trees) {
        open.emplace_back(tree.root, 0);
    }
    while (!open.empty()) {
        const auto [part, depth] = open.back();
        open.pop_back();
        deepest = std::max(deepest, depth);
        if (part >= 0) {
            const forest::Split &split = model_->forest.splits[static_cast<std::size_t>(part)];
            open.emplace_back(split.when_true, depth + 1);
            open.emplace_back(split.when_false, depth + 1);
        }
    }
    return deepest;
}

std::size_t Forest::outputs() const noexcept {
    return model_->forest.outputs;
}

std::vector<Forest::Feature> Forest::features() const {
    std::vector<Feature> features;
    for (const forest::FeatureInfo &info : model_->features) {
        Feature &feature = features.emplace_back();
        feature.name = info.name;
        feature.has_name = info.has_name;
        feature.is_categorical = info.is_categorical;
        for (const forest::Category &category : info.categories) {
            feature.categories.push_back({category.label, category.code});
        }
    }
    const std::vector<double> &gains = model_->notes.gains;
    for (std::size_t i = 0; i < model_->forest.splits.size(); ++i) {
        Feature &feature = features[model_->feature_of[model_->forest.splits[i].feature]];
        ++feature.splits;
        feature.gain += i < gains.size() ? gains[i] : 0;
    }
    return features;
}

const std::vector<std::string> &Forest::used_features() const noexcept {
    return model_->forest.feature_names;
}

Result<std::vector<double>> Forest::contributions(std::span<const double> values) const {
    if (values.size() != used_features().size()) {
        return Error(
            fmt::format("the forest uses {} features, but {} values are given", used_features().size(), values.size()));
    }
    return forest::contributions(*model_, values);
}

}  // namespace tenrex
