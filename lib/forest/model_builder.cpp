#include "lib/forest/model_builder.h"

#include <utility>

#include "lib/forest/check_forest.h"
#include "lib/support/format.h"

namespace tenrex::forest {

std::uint32_t ModelBuilder::add_set(NumberSet set) {
    model.forest.sets.push_back(std::move(set));
    return static_cast<std::uint32_t>(model.forest.sets.size() - 1);
}

Result<Model> ModelBuilder::finish() && {
    Forest &forest = model.forest;
    constexpr std::uint32_t unused = UINT32_MAX;
    std::vector<std::uint32_t> numbers(model.features.size(), unused);
    const auto in_use = [&](std::uint32_t feature) {
        if (feature >= numbers.size()) {
            return false;
        }
        numbers[feature] = 0;
        return true;
    };
    bool good = true;
    for (const Split &split : forest.splits) {
        good = good && in_use(split.feature);
    }
    for (const LinearLeaf &leaf : forest.linear_leaves) {
        for (const LinearTerm &term : leaf.terms) {
            good = good && in_use(term.feature);
        }
    }
    if (!good) {
        return Error(fmt::format("a tree uses a feature beyond the {} of the model", model.features.size()),
                     "the file is damaged");
    }
    for (std::uint32_t feature = 0; feature < numbers.size(); ++feature) {
        if (numbers[feature] != unused) {
            numbers[feature] = static_cast<std::uint32_t>(model.feature_of.size());
            model.feature_of.push_back(feature);
            forest.feature_names.push_back(model.features[feature].name);
        }
    }
    for (Split &split : forest.splits) {
        split.feature = numbers[split.feature];
    }
    for (LinearLeaf &leaf : forest.linear_leaves) {
        for (LinearTerm &term : leaf.terms) {
            term.feature = numbers[term.feature];
        }
    }
    if (std::string problem = problem_of(forest); !problem.empty()) {
        return Error("the model makes no forest: " + problem, "the file is damaged");
    }
    return std::move(model);
}

}  // namespace tenrex::forest
