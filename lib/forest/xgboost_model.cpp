#include <algorithm>
#include <cmath>

#include "lib/forest/broken.h"
#include "lib/forest/check_forest.h"
#include "lib/forest/model_builder.h"
#include "lib/forest/xgboost.h"
#include "lib/forest/xgboost_categories.h"
#include "lib/forest/xgboost_linear.h"
#include "lib/forest/xgboost_nodes.h"
#include "lib/forest/xgboost_objective.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::forest {

namespace {

using Id = Document::Id;

// What a feature without a name in the file is called.
std::string numbered_name(std::size_t feature) {
    return fmt::format("f{}", feature);
}

class XgboostModel {
public:
    explicit XgboostModel(const Document &document) : document_(document) {}

    Result<Model> run() {
        try {
            const Id learner = member(document_.root(), "learner");
            parameters(learner);
            features(learner);
            booster(member(learner, "gradient_booster"));
        } catch (const Broken &broken) {
            return broken.error;
        }
        return std::move(builder_).finish();
    }

private:
    [[noreturn]] void fail(Id where, std::string message, std::string hint = "the file is damaged") const {
        throw Broken{document_.error(where, std::move(message), std::move(hint))};
    }
    Id member(Id object, std::string_view key) const { return get(document_.member(object, key)); }
    std::int64_t integer(Id object, std::string_view key, std::int64_t most) const {
        return get(document_.integer(member(object, key), 0, most));
    }
    std::int64_t integer_or_zero(Id object, std::string_view key, std::int64_t most) const {
        return document_.find(object, key) == Document::none ? 0 : integer(object, key, most);
    }

    void parameters(Id learner) {
        Model &model = builder_.model;
        Forest &forest = model.forest;
        const Id parameters = member(learner, "learner_model_param");
        feature_count_ = static_cast<std::size_t>(integer(parameters, "num_feature", INT32_MAX));
        const std::int64_t classes = integer_or_zero(parameters, "num_class", most_outputs);
        const std::int64_t targets = integer_or_zero(parameters, "num_target", most_outputs);
        forest.outputs = static_cast<std::uint32_t>(std::max({classes, targets, std::int64_t{1}}));
        forest.float_features = true;
        forest.sum = SumType::in_float;

        const Id name = member(member(learner, "objective"), "name");
        model.objective = get(document_.text(name));
        const XgboostObjective *const objective = find_xgboost_objective(model.objective);
        if (objective == nullptr) {
            fail(name, fmt::format("the objective '{}' is not known", clipped(model.objective)),
                 "if the raw scores are wanted, write reg:squarederror and the base score of the margin in its place");
        }
        model.transform.link = objective->link;
        const std::vector<double> scores = base_scores(member(parameters, "base_score"));
        for (std::uint32_t output = 0; output < forest.outputs; ++output) {
            const double score = scores[scores.size() == 1 ? 0 : output];
            forest.initial.push_back(static_cast<double>(margin_of(objective->base_score, static_cast<float>(score))));
        }
    }

    // One number, or one for each output; as a text that holds a list, too.
    std::vector<double> base_scores(Id id) const {
        std::vector<double> scores;
        if (document_.kind(id) == Document::Kind::text && get(document_.text(id)).starts_with('[')) {
            const Result<Document> list = Document::from_json(get(document_.text(id)));
            if (!list || list->kind(list->root()) != Document::Kind::numbers || !list->numbers(list->root())) {
                fail(id, fmt::format("the base score \"{}\" is no list of numbers", clipped(get(document_.text(id)))));
            }
            scores = *list->numbers(list->root());
        } else if (document_.kind(id) == Document::Kind::text || document_.kind(id) == Document::Kind::number) {
            scores.push_back(get(document_.number(id)));
        } else {
            scores = get(document_.numbers(id));
        }
        const std::size_t outputs = builder_.model.forest.outputs;
        if (scores.size() != 1 && scores.size() != outputs) {
            fail(id, fmt::format("there are {} base scores for {} outputs", scores.size(), outputs));
        }
        return scores;
    }

    void features(Id learner) {
        std::vector<FeatureInfo> &features = builder_.model.features;
        const Id names = document_.find(learner, "feature_names");
        if (names != Document::none) {
            for (Id name = document_.first(names); name != Document::none; name = document_.next(name)) {
                features.push_back({std::string(get(document_.text(name))), true, false, {}});
            }
        }
        if (!features.empty() && features.size() != feature_count_) {
            fail(names, fmt::format("there are {} names for {} features", features.size(), feature_count_));
        }
        // Without names only the features that trees use need an entry, and those before them.
        constexpr std::size_t most_nameless = std::size_t{1} << 20;
        most_features_ = features.empty() ? std::min(feature_count_, most_nameless) : features.size();
        const Id types = document_.find(learner, "feature_types");
        if (types == Document::none) {
            return;
        }
        std::size_t number = 0;
        for (Id type = document_.first(types); type != Document::none; type = document_.next(type), ++number) {
            if (number < most_features_) {
                feature(number).is_categorical = get(document_.text(type)) == "c";
            }
        }
    }

    FeatureInfo &feature(std::size_t number) {
        std::vector<FeatureInfo> &features = builder_.model.features;
        while (features.size() <= number) {
            features.push_back({numbered_name(features.size()), false, false, {}});
        }
        return features[number];
    }

    void booster(Id booster) {
        const Id name_at = member(booster, "name");
        const std::string_view name = get(document_.text(name_at));
        builder_.model.format = fmt::format("XGBoost {}", clipped(name));
        if (name == "gblinear") {
            linear(booster);
            return;
        }
        Id trees = booster;
        std::vector<double> weights;
        if (name == "dart") {
            trees = member(booster, "gbtree");
            weights = get(document_.numbers(member(booster, "weight_drop")));
        } else if (name != "gbtree") {
            fail(name_at, fmt::format("the booster '{}' is not known", clipped(name)),
                 "gbtree, dart and gblinear can be read");
        }
        const Id model = member(trees, "model");
        const std::vector<std::int32_t> outputs = get(document_.integers(member(model, "tree_info")));
        const Id list = member(model, "trees");
        std::size_t number = 0;
        for (Id tree = document_.first(list); tree != Document::none; tree = document_.next(tree), ++number) {
            if (number >= outputs.size() || (name == "dart" && number >= weights.size())) {
                fail(tree, fmt::format("tree {} has no output or no weight", number));
            }
            weight_ = name == "dart" ? static_cast<float>(weights[number]) : 1.0F;
            add_tree(tree, outputs[number]);
        }
        read_xgboost_categories(document_, model, builder_.model);
    }

    void linear(Id booster) {
        read_xgboost_linear(document_, booster, most_features_, builder_);
        for (std::size_t number = 0; number < most_features_; ++number) {
            feature(number);
        }
    }

    void add_tree(Id tree, std::int32_t output) {
        const XgboostNodes nodes = read_xgboost_nodes(document_, tree, builder_);
        Forest &forest = builder_.model.forest;
        if (output < 0 || static_cast<std::uint32_t>(output) >= forest.outputs) {
            fail(tree, fmt::format("the tree is for output {} of {}", output, forest.outputs));
        }
        struct Open {
            std::int32_t node;
            std::int32_t split;  // below 0: it is the root
            bool when_true;
        };
        std::vector<bool> seen(nodes.left.size());
        std::vector<Open> open{{0, -1, false}};
        forest.trees.push_back({0, static_cast<std::uint32_t>(output)});
        while (!open.empty()) {
            const Open at = open.back();
            open.pop_back();
            const auto node = static_cast<std::uint32_t>(at.node);
            if (node >= nodes.left.size() || seen[node]) {
                fail(tree, fmt::format("node {} does not exist, or has two places in the tree", at.node));
            }
            seen[node] = true;
            std::int32_t part = 0;
            if (nodes.left[node] == -1) {
                part = ~add_leaf(tree, nodes, node);
            } else {
                part = builder_.first_split();
                const bool left_first = add_split(tree, nodes, node);
                open.push_back({nodes.right[node], part, !left_first});
                open.push_back({nodes.left[node], part, left_first});
            }
            if (at.split < 0) {
                forest.trees.back().root = part;
            } else {
                Split &split = forest.splits[static_cast<std::uint32_t>(at.split)];
                (at.when_true ? split.when_true : split.when_false) = part;
            }
        }
    }

    std::int32_t add_leaf(Id tree, const XgboostNodes &nodes, std::uint32_t node) {
        Forest &forest = builder_.model.forest;
        const std::int32_t leaf = builder_.first_leaf();
        const auto weighted = [&](double value) { return static_cast<double>(static_cast<float>(value) * weight_); };
        if (forest.vector_leaves) {
            const auto number = nodes.leaves_are_numbered ? static_cast<std::uint32_t>(nodes.right[node]) : node;
            const std::size_t begin = std::size_t{number} * forest.outputs;
            if (begin + forest.outputs > nodes.leaf_weights.size()) {
                fail(tree, fmt::format("the leaf at node {} has no values", node));
            }
            for (std::size_t output = 0; output < forest.outputs; ++output) {
                forest.leaves.push_back(weighted(nodes.leaf_weights[begin + output]));
            }
        } else {
            forest.leaves.push_back(weighted(nodes.conditions[node]));
        }
        builder_.model.notes.leaf_weights.push_back(nodes.weights[node]);
        return leaf;
    }

    // Whether the left branch is the one that passes. Categories of the set go right, all other numbers left.
    bool add_split(Id tree, const XgboostNodes &nodes, std::uint32_t node) {
        const std::int32_t number = nodes.features[node];
        if (number < 0 || static_cast<std::size_t>(number) >= most_features_) {
            fail(tree, fmt::format("node {} tests feature {} of {}", node, number, most_features_));
        }
        const bool is_categorical = nodes.types[node] == 1;
        feature(static_cast<std::size_t>(number)).is_categorical |= is_categorical;
        Split split;
        split.feature = static_cast<std::uint32_t>(number);
        const bool missing_left = nodes.default_left[node] != 0;
        if (is_categorical) {
            if (nodes.sets.empty() || nodes.sets[node] == UINT32_MAX) {
                fail(tree, fmt::format("node {} has no categories", node));
            }
            split.test = Test::in_set;
            split.set = nodes.sets[node];
        } else {
            split.threshold = static_cast<double>(static_cast<float>(nodes.conditions[node]));
        }
        split.missing_passes = missing_left != is_categorical;
        builder_.model.forest.splits.push_back(split);
        builder_.model.notes.gains.push_back(nodes.gains[node]);
        builder_.model.notes.split_weights.push_back(nodes.weights[node]);
        return !is_categorical;
    }

    const Document &document_;
    ModelBuilder builder_;
    std::size_t feature_count_ = 0;
    std::size_t most_features_ = 0;
    float weight_ = 1;
};

}  // namespace

Result<Model> read_xgboost_model(const Document &document) {
    return XgboostModel(document).run();
}

}  // namespace tenrex::forest
