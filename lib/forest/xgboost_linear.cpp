#include "lib/forest/xgboost_linear.h"

#include "lib/forest/broken.h"
#include "lib/support/format.h"

namespace tenrex::forest {

void read_xgboost_linear(const Document &document, Document::Id booster, std::size_t features, ModelBuilder &builder) {
    Forest &forest = builder.model.forest;
    const Document::Id list = get(document.member(get(document.member(booster, "model")), "weights"));
    const std::vector<double> weights = get(document.numbers(list));
    if (weights.size() != (features + 1) * forest.outputs) {
        throw Broken{document.error(list,
                                    fmt::format("there are {} weights for {} features, a bias and {} outputs",
                                                weights.size(), features, forest.outputs),
                                    "the file is damaged")};
    }
    const auto weight = [&](std::size_t feature, std::uint32_t output) {
        return static_cast<float>(weights[feature * forest.outputs + output]);
    };
    // The trainer begins all sums with the base score of the first output, also where the others have scores of their
    // own.
    const auto base_score = static_cast<float>(forest.initial.front());
    for (std::uint32_t output = 0; output < forest.outputs; ++output) {
        forest.initial[output] = static_cast<double>(weight(features, output) + base_score);
    }
    // What is missing adds nothing: the plain value of its leaf.
    for (std::uint32_t feature = 0; feature < features; ++feature) {
        for (std::uint32_t output = 0; output < forest.outputs; ++output) {
            const auto leaf = static_cast<std::uint32_t>(builder.first_leaf());
            forest.leaves.push_back(0);
            forest.linear_leaves.push_back({leaf, 0, {{feature, static_cast<double>(weight(feature, output))}}});
            forest.trees.push_back({~static_cast<std::int32_t>(leaf), output});
        }
    }
}

}  // namespace tenrex::forest
