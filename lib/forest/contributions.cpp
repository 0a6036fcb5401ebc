// The algorithm of S. Lundberg and others for trees: on the way down, a path notes for each feature met which share of
// the training data would have come this way without knowing it, and how many subsets of the features do so.
#include "lib/forest/contributions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lib/forest/walk.h"
#include "lib/support/format.h"

namespace tenrex::forest {

namespace {

struct Part {
    std::uint32_t feature = 0;
    double share_without = 1;  // of the data that comes this way if the feature is not known
    double share_with = 1;     // 1 if the document comes this way, else 0
    double weight = 0;         // of the subsets of this size
};
constexpr std::uint32_t no_feature = UINT32_MAX;

void extend(std::vector<Part> &path, std::uint32_t feature, double without, double with) {
    path.push_back({feature, without, with, path.empty() ? 1.0 : 0.0});
    const auto depth = static_cast<std::ptrdiff_t>(path.size()) - 1;
    const auto length = static_cast<double>(depth + 1);
    for (std::ptrdiff_t i = depth - 1; i >= 0; --i) {
        Part &lower = path[static_cast<std::size_t>(i)];
        Part &upper = path[static_cast<std::size_t>(i) + 1];
        upper.weight += with * lower.weight * static_cast<double>(i + 1) / length;
        lower.weight = without * lower.weight * static_cast<double>(depth - i) / length;
    }
}

// Takes what the feature at a place did out of the weights.
void unwind(std::vector<Part> &path, std::size_t place) {
    const std::size_t depth = path.size() - 1;
    const double with = path[place].share_with;
    const double without = path[place].share_without;
    const auto length = static_cast<double>(depth + 1);
    double next = path[depth].weight;
    for (std::size_t i = depth; i-- > 0;) {
        if (with != 0) {
            const double kept = path[i].weight;
            path[i].weight = next * length / (static_cast<double>(i + 1) * with);
            next = kept - path[i].weight * without * static_cast<double>(depth - i) / length;
        } else {
            path[i].weight = path[i].weight * length / (without * static_cast<double>(depth - i));
        }
    }
    for (std::size_t i = place; i < depth; ++i) {
        path[i].feature = path[i + 1].feature;
        path[i].share_without = path[i + 1].share_without;
        path[i].share_with = path[i + 1].share_with;
    }
    path.pop_back();
}

// The sum of the weights that unwind() would leave.
double unwound_sum(const std::vector<Part> &path, std::size_t place) {
    const std::size_t depth = path.size() - 1;
    const double with = path[place].share_with;
    const double without = path[place].share_without;
    const auto length = static_cast<double>(depth + 1);
    double next = path[depth].weight;
    double total = 0;
    for (std::size_t i = depth; i-- > 0;) {
        if (with != 0) {
            const double weight = next * length / (static_cast<double>(i + 1) * with);
            total += weight;
            next = path[i].weight - weight * without * (static_cast<double>(depth - i) / length);
        } else if (without != 0) {
            total += path[i].weight / without / (static_cast<double>(depth - i) / length);
        }
    }
    return total;
}

class Contributions {
public:
    Contributions(const Model &model, std::span<const double> features)
        : model_(model),
          forest_(model.forest),
          features_(features),
          row_(model.features.size() + 1),
          values_(row_ * forest_.outputs) {}

    std::vector<double> run() {
        for (std::uint32_t output = 0; output < forest_.outputs; ++output) {
            values_[output * row_ + row_ - 1] = forest_.initial[output];
        }
        for (const Tree &tree : forest_.trees) {
            expect(tree);
            if (tree.root >= 0) {
                walk_tree(tree);
            }
        }
        if (forest_.divisor != 1) {
            for (double &value : values_) {
                value /= forest_.divisor;
            }
        }
        return std::move(values_);
    }

private:
    double weight(std::int32_t part) const {
        const std::int32_t leaf = ~part;
        return part >= 0 ? model_.notes.split_weights[static_cast<std::size_t>(part)]
                         : model_.notes.leaf_weights[static_cast<std::size_t>(leaf)];
    }

    // Adds the mean of the leaves over the data.
    void expect(const Tree &tree) {
        std::vector<std::int32_t> open{tree.root};
        const double total = weight(tree.root);
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            if (at >= 0) {
                open.push_back(forest_.splits[static_cast<std::size_t>(at)].when_false);
                open.push_back(forest_.splits[static_cast<std::size_t>(at)].when_true);
                continue;
            }
            const double share = at == tree.root ? 1.0 : weight(at) / total;
            each_output(tree,
                        [&](std::uint32_t output) { values_[output * row_ + row_ - 1] += share * leaf(at, output); });
        }
    }

    double leaf(std::int32_t part, std::uint32_t output) const {
        return leaf_value(forest_, static_cast<std::uint32_t>(~part), output, features_);
    }

    template <class Use>
    void each_output(const Tree &tree, const Use &use) const {
        const std::uint32_t first = forest_.vector_leaves ? 0 : tree.output;
        const std::uint32_t end = forest_.vector_leaves ? forest_.outputs : first + 1;
        for (std::uint32_t output = first; output < end; ++output) {
            use(output);
        }
    }

    struct Open {
        std::int32_t part;
        std::uint32_t feature;
        double without;
        double with;
        std::size_t parent;  // the length of the path of the split above, in paths_
    };

    // Depth first, with paths on a stack of their own: a tree may be deeper than the stack of a thread.
    void walk_tree(const Tree &tree) {
        std::vector<std::vector<Part>> paths;  // of the splits above
        std::vector<Open> open{{tree.root, no_feature, 1, 1, 0}};
        while (!open.empty()) {
            const Open at = open.back();
            open.pop_back();
            paths.resize(at.parent);
            std::vector<Part> path = paths.empty() ? std::vector<Part>() : paths.back();
            double without = at.without;
            double with = at.with;
            for (std::size_t i = 1; i < path.size(); ++i) {
                if (path[i].feature == at.feature) {
                    without *= path[i].share_without;
                    with *= path[i].share_with;
                    unwind(path, i);
                    break;
                }
            }
            extend(path, at.feature, without, with);
            if (at.part < 0) {
                for (std::size_t i = 1; i < path.size(); ++i) {
                    const double part = unwound_sum(path, i) * (path[i].share_with - path[i].share_without);
                    const std::size_t column = model_.feature_of[path[i].feature];
                    each_output(tree, [&](std::uint32_t output) {
                        values_[output * row_ + column] += part * leaf(at.part, output);
                    });
                }
                continue;
            }
            const Split &split = forest_.splits[static_cast<std::size_t>(at.part)];
            const double value = as_tested(forest_, features_[split.feature]);
            const bool first = takes_first(forest_, split, value);
            const double total = weight(at.part);
            paths.push_back(std::move(path));
            for (const bool is_true : {false, true}) {
                const std::int32_t child = is_true ? split.when_true : split.when_false;
                open.push_back(
                    {child, split.feature, weight(child) / total, is_true == first ? 1.0 : 0.0, paths.size()});
            }
        }
    }

    const Model &model_;
    const Forest &forest_;
    std::span<const double> features_;
    std::size_t row_;
    std::vector<double> values_;
};

}  // namespace

Result<std::vector<double>> contributions(const Model &model, std::span<const double> features) {
    if (!model.forest.linear_leaves.empty()) {
        return Error("contributions are not defined for trees with linear leaves");
    }
    const auto tells = [](const std::vector<double> &weights, std::size_t count) {
        return weights.size() == count && std::all_of(weights.begin(), weights.end(), [](double w) { return w > 0; });
    };
    const std::size_t leaves =
        model.forest.leaves.size() / (model.forest.vector_leaves ? model.forest.outputs : std::size_t{1});
    bool single_leaves_only = true;
    for (const Tree &tree : model.forest.trees) {
        single_leaves_only &= tree.root < 0;
    }
    if (!single_leaves_only &&
        (!tells(model.notes.split_weights, model.forest.splits.size()) || model.notes.leaf_weights.size() != leaves)) {
        return Error("the file does not tell how much data came to each split, which contributions need",
                     "save the model with its statistics");
    }
    return Contributions(model, features).run();
}

}  // namespace tenrex::forest
