// Models that LightGBM dumps as JSON: trees are nested objects.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/forest/broken.h"
#include "lib/forest/check_forest.h"
#include "lib/forest/lightgbm.h"
#include "lib/forest/lightgbm_objective.h"
#include "lib/support/format.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"

namespace tenrex::forest {

namespace {

using Id = Document::Id;

class LightGbmDump {
public:
    explicit LightGbmDump(const Document &document) : document_(document) {}

    Result<Model> run() {
        try {
            header();
            const Id trees = get(document_.member(document_.root(), "tree_info"));
            for (Id tree = document_.first(trees); tree != Document::none; tree = document_.next(tree)) {
                add_tree(tree);
            }
            finish();
        } catch (const Broken &broken) {
            return broken.error;
        }
        return std::move(builder_).finish();
    }

private:
    [[noreturn]] void fail(Id where, std::string message, std::string hint = {}) const {
        throw Broken{document_.error(where, std::move(message), std::move(hint))};
    }

    std::int64_t integer(Id object, std::string_view key, std::int64_t most) const {
        return get(document_.integer(get(document_.member(object, key)), 0, most));
    }
    double number_or_zero(Id object, std::string_view key) const {
        const Id found = document_.find(object, key);
        return found == Document::none ? 0.0 : get(document_.number(found));
    }

    void header() {
        const Id root = document_.root();
        Model &model = builder_.model;
        model.format = "LightGBM JSON dump";
        model.forest.outputs = static_cast<std::uint32_t>(
            std::max<std::int64_t>(1, integer(root, "num_tree_per_iteration", most_outputs)));
        model.forest.initial.assign(model.forest.outputs, 0.0);
        const Id names = get(document_.member(root, "feature_names"));
        for (Id name = document_.first(names); name != Document::none; name = document_.next(name)) {
            model.features.push_back({std::string(get(document_.text(name))), true, false, {}});
        }
        if (const Id infos = document_.find(root, "feature_infos"); infos != Document::none) {
            for (FeatureInfo &feature : model.features) {
                const Id info = document_.find(infos, feature.name);
                const Id values = info == Document::none ? info : document_.find(info, "values");
                feature.is_categorical = values != Document::none && !get(document_.numbers(values)).empty();
            }
        }
        if (const Id objective = document_.find(root, "objective"); objective != Document::none) {
            model.objective = get(document_.text(objective));
            const Result<Transform> transform = lightgbm_transform(model.objective);
            if (!transform) {
                fail(objective, transform.error().issues().front().message, transform.error().issues().front().hint);
            }
            model.transform = *transform;
        }
    }

    // Where the number of a part of the tree is written once it is known.
    struct Open {
        Id node;
        std::int32_t split;  // below 0: it is the root
        bool is_left;
    };

    void add_tree(Id tree) {
        Forest &forest = builder_.model.forest;
        const std::size_t number = forest.trees.size();
        forest.trees.push_back({0, static_cast<std::uint32_t>(number % forest.outputs)});
        std::vector<Open> open{{get(document_.member(tree, "tree_structure")), -1, false}};
        while (!open.empty()) {
            const Open at = open.back();
            open.pop_back();
            const bool is_leaf = document_.find(at.node, "leaf_value") != Document::none;
            const std::int32_t part = is_leaf ? ~add_leaf(at.node) : add_split(at.node, open);
            if (at.split < 0) {
                forest.trees.back().root = part;
            } else {
                Split &split = forest.splits[static_cast<std::uint32_t>(at.split)];
                (at.is_left ? split.when_true : split.when_false) = part;
            }
        }
    }

    std::int32_t add_leaf(Id node) {
        Forest &forest = builder_.model.forest;
        const std::int32_t leaf = builder_.first_leaf();
        forest.leaves.push_back(get(document_.number(get(document_.member(node, "leaf_value")))));
        builder_.model.notes.leaf_weights.push_back(number_or_zero(node, "leaf_count"));
        if (const Id constant = document_.find(node, "leaf_const"); constant != Document::none) {
            LinearLeaf &linear = forest.linear_leaves.emplace_back();
            linear.leaf = static_cast<std::uint32_t>(leaf);
            linear.constant = get(document_.number(constant));
            const auto features = get(document_.integers(get(document_.member(node, "leaf_features"))));
            const auto coefficients = get(document_.numbers(get(document_.member(node, "leaf_coeff"))));
            if (features.size() != coefficients.size()) {
                fail(node, "the leaf has another number of features than of coefficients", "the file is damaged");
            }
            for (std::size_t i = 0; i < features.size(); ++i) {
                linear.terms.push_back({static_cast<std::uint32_t>(features[i]), coefficients[i]});
            }
        }
        return leaf;
    }

    std::int32_t add_split(Id node, std::vector<Open> &open) {
        const std::int32_t number = builder_.first_split();
        LightGbmSplit split;
        const auto most_feature = static_cast<std::int64_t>(builder_.model.features.size()) - 1;
        split.feature = static_cast<std::uint32_t>(integer(node, "split_feature", most_feature));
        split.decision = integer(node, "default_left", 1) != 0 ? LightGbmSplit::default_left : 0;
        const Id missing = get(document_.member(node, "missing_type"));
        const std::string_view missing_type = get(document_.text(missing));
        if (missing_type == "Zero" || missing_type == "NaN") {
            const auto kind = missing_type == "Zero" ? LightGbmSplit::zero : LightGbmSplit::nan;
            split.decision |= kind << LightGbmSplit::missing_shift;
        } else if (missing_type != "None") {
            fail(missing, fmt::format("the missing type '{}' is not known", clipped(missing_type)),
                 "it is None, Zero or NaN");
        }
        const Id threshold = get(document_.member(node, "threshold"));
        const Id decision = get(document_.member(node, "decision_type"));
        const std::string_view decision_type = get(document_.text(decision));
        if (decision_type == "<=") {
            // What no JSON can say is written as this. Splits that all numbers pass are real.
            constexpr double written_for_infinity = 1e300;
            split.threshold = get(document_.number(threshold));
            if (split.threshold == written_for_infinity) {
                split.threshold = std::numeric_limits<double>::infinity();
            }
            builder_.model.forest.splits.push_back(numerical_split(split));
        } else if (decision_type == "==") {
            builder_.model.features[split.feature].is_categorical = true;
            add_categorical_split(builder_, split, categories(threshold));
        } else {
            fail(decision, fmt::format("the decision type '{}' is not known", clipped(decision_type)),
                 "it is <= or ==");
        }
        builder_.model.notes.gains.push_back(number_or_zero(node, "split_gain"));
        builder_.model.notes.split_weights.push_back(number_or_zero(node, "internal_count"));
        open.push_back({get(document_.member(node, "right_child")), number, false});
        open.push_back({get(document_.member(node, "left_child")), number, true});
        return number;
    }

    // "0||3||7", or the number of the only one.
    std::vector<double> categories(Id threshold) const {
        if (document_.kind(threshold) == Document::Kind::number) {
            return {get(document_.number(threshold))};
        }
        std::vector<double> members;
        std::string_view text = get(document_.text(threshold));
        while (!text.empty()) {
            const std::size_t end = std::min(text.find("||"), text.size());
            const NumberText number = read_number(text.substr(0, end));
            if (number.length != end || !(number.value >= 0) || number.value != std::trunc(number.value)) {
                fail(threshold, fmt::format("'{}' is no category", clipped(text.substr(0, end))));
            }
            members.push_back(number.value);
            text.remove_prefix(std::min(end + 2, text.size()));
        }
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        return members;
    }

    void finish() {
        const Id root = document_.root();
        Model &model = builder_.model;
        const Id average = document_.find(root, "average_output");
        if (average != Document::none && get(document_.number(average)) != 0) {
            const std::size_t rounds = model.forest.trees.size() / model.forest.outputs;
            model.transform.divisor = static_cast<double>(std::max<std::size_t>(1, rounds));
        }
        if (const Id lists = document_.find(root, "pandas_categorical"); lists != Document::none) {
            if (auto error = add_pandas_categories(model, document_, lists)) {
                throw Broken{*std::move(error)};
            }
        }
    }

    const Document &document_;
    ModelBuilder builder_;
};

}  // namespace

Result<Model> read_lightgbm_dump(const Document &document) {
    return LightGbmDump(document).run();
}

}  // namespace tenrex::forest
