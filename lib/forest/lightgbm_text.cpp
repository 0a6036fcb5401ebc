// Models that LightGBM saves: lines of "key=value", a part for each tree.
#include <algorithm>
#include <span>

#include "lib/forest/check_forest.h"
#include "lib/forest/keyed_lines.h"
#include "lib/forest/lightgbm.h"
#include "lib/forest/lightgbm_objective.h"
#include "lib/forest/model_builder.h"
#include "lib/support/format.h"

namespace tenrex::forest {

namespace {

class LightGbmText {
public:
    explicit LightGbmText(std::string_view source) : lines_(source) {}

    Result<Model> run() {
        try {
            header();
            while (!ended_) {
                tree();
            }
            tail();
        } catch (const Broken &broken) {
            return broken.error;
        }
        builder_.model.format = "LightGBM text";
        return std::move(builder_).finish();
    }

private:
    using Part = KeyedLines::Part;

    void header() {
        const auto first = lines_.next_line();
        if (!first || *first != "tree") {
            lines_.fail(lines_.source().substr(0, 4), "a model of LightGBM begins with 'tree'",
                        "save it with Booster.save_model");
        }
        Part part;
        while (!lines_.rest().starts_with("Tree=") && !lines_.rest().starts_with("end of trees")) {
            Part more = lines_.next_part();
            part.merge(more);
        }
        const std::string_view top = *first;
        Forest &forest = builder_.model.forest;
        forest.outputs = lines_.number<std::uint32_t>(lines_.value(part, "num_tree_per_iteration", top));
        if (forest.outputs == 0 || forest.outputs > most_outputs) {
            lines_.fail(part["num_tree_per_iteration"],
                        fmt::format("from 1 to {} trees per iteration are possible", most_outputs));
        }
        forest.initial.assign(forest.outputs, 0.0);
        names(lines_.value(part, "feature_names", top));
        if (const auto infos = part.find("feature_infos"); infos != part.end()) {
            feature_infos(infos->second);
        }
        const std::string_view objective = part.contains("objective") ? part["objective"] : top.substr(4);
        const auto transform = lightgbm_transform(objective);
        if (!transform) {
            lines_.fail(objective, transform.error().issues().front().message, transform.error().issues().front().hint);
        }
        builder_.model.objective = objective;
        builder_.model.transform = *transform;
        is_average_ = part.contains("average_output");
    }

    void names(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find(' '), text.size());
            FeatureInfo &feature = builder_.model.features.emplace_back();
            feature.name = text.substr(0, end);
            feature.has_name = true;
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    // "none", "[least:largest]", or the codes of a categorical feature: "3:0:1".
    void feature_infos(std::string_view text) {
        for (FeatureInfo &feature : builder_.model.features) {
            const std::size_t end = std::min(text.find(' '), text.size());
            const std::string_view info = text.substr(0, end);
            feature.is_categorical = !info.empty() && info != "none" && info.front() != '[';
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    void tree() {
        auto title = lines_.next_line();
        while (title && title->empty()) {
            title = lines_.next_line();
        }
        if (!title) {
            lines_.fail_at_end();
        }
        if (*title == "end of trees") {
            ended_ = true;
            return;
        }
        Part part = lines_.next_part();
        Forest &forest = builder_.model.forest;
        const auto output = static_cast<std::uint32_t>(forest.trees.size() % forest.outputs);
        const auto leaves = lines_.number<std::uint32_t>(lines_.value(part, "num_leaves", *title));
        if (leaves == 0 || leaves > most_parts) {
            lines_.fail(part["num_leaves"], "a tree has at least one leaf");
        }
        const std::int32_t first_split = builder_.first_split();
        const std::int32_t first_leaf = builder_.first_leaf();
        forest.trees.push_back({leaves == 1 ? ~first_leaf : first_split, output});
        const std::vector<double> values = lines_.list<double>(part, "leaf_value", leaves, *title);
        forest.leaves.insert(forest.leaves.end(), values.begin(), values.end());
        if (part.contains("is_linear") && part["is_linear"] == "1") {
            linear_leaves(part, leaves, *title);
        }
        if (leaves > 1) {
            splits(part, leaves, *title);
        }
        notes(part, leaves, *title);
    }

    void linear_leaves(Part &part, std::uint32_t leaves, std::string_view title) {
        const std::vector<double> constants = lines_.list<double>(part, "leaf_const", leaves, title);
        const std::vector<std::uint32_t> counts = lines_.list<std::uint32_t>(part, "num_features", leaves, title);
        std::size_t total = 0;
        for (const std::uint32_t count : counts) {
            total += count;
        }
        const auto features = lines_.list<std::uint32_t>(part, "leaf_features", total, title);
        const auto coefficients = lines_.list<double>(part, "leaf_coeff", total, title);
        const auto first = static_cast<std::uint32_t>(builder_.first_leaf()) - leaves;
        std::size_t next = 0;
        for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
            LinearLeaf &linear = builder_.model.forest.linear_leaves.emplace_back();
            linear.leaf = first + leaf;
            linear.constant = constants[leaf];
            for (std::uint32_t term = 0; term < counts[leaf]; ++term, ++next) {
                linear.terms.push_back({features[next], coefficients[next]});
            }
        }
    }

    void splits(Part &part, std::uint32_t leaves, std::string_view title) {
        const std::size_t count = leaves - 1;
        const auto features = lines_.list<std::uint32_t>(part, "split_feature", count, title);
        const auto thresholds = lines_.list<double>(part, "threshold", count, title);
        const auto decisions = lines_.list<std::uint32_t>(part, "decision_type", count, title);
        const auto left = lines_.list<std::int32_t>(part, "left_child", count, title);
        const auto right = lines_.list<std::int32_t>(part, "right_child", count, title);
        std::vector<std::uint32_t> boundaries;
        std::vector<std::uint32_t> words;
        if (part.contains("cat_boundaries")) {
            boundaries = lines_.numbers<std::uint32_t>(part["cat_boundaries"]);
            words = lines_.numbers<std::uint32_t>(lines_.value(part, "cat_threshold", title));
        }
        // Each set has words of its own and one split, so a small file makes no large sets.
        if (!std::is_sorted(boundaries.begin(), boundaries.end())) {
            lines_.fail(part["cat_boundaries"], "the boundaries of the sets do not ascend", "the file is damaged");
        }
        std::vector<bool> is_used(boundaries.size());
        const std::int32_t first_split = builder_.first_split();
        const std::int32_t first_leaf = builder_.first_leaf() - static_cast<std::int32_t>(leaves);
        const auto child = [&](std::int32_t number) {
            const auto place = static_cast<std::uint32_t>(number >= 0 ? number : ~number);
            if (place >= (number >= 0 ? count : count + 1)) {
                lines_.fail(lines_.value(part, "left_child", title), fmt::format("the tree has no part {}", number),
                            "the file is damaged");
            }
            return number >= 0 ? number + first_split : ~(~number + first_leaf);
        };
        for (std::size_t i = 0; i < count; ++i) {
            if (features[i] >= builder_.model.features.size()) {
                lines_.fail(part["split_feature"], fmt::format("there is no feature {}", features[i]),
                            "the file is damaged");
            }
            LightGbmSplit split{features[i], thresholds[i], decisions[i], child(left[i]), child(right[i])};
            if ((split.decision & LightGbmSplit::categorical) == 0) {
                builder_.model.forest.splits.push_back(numerical_split(split));
                continue;
            }
            const double number = thresholds[i];
            if (!(number >= 0 && number + 1 < static_cast<double>(boundaries.size()))) {
                lines_.fail(part["threshold"], fmt::format("the tree has no set {}", number), "the file is damaged");
            }
            const auto set = static_cast<std::size_t>(number);
            const std::uint32_t begin = boundaries[set];
            const std::uint32_t end = boundaries[set + 1];
            if (is_used[set] || end > words.size()) {
                lines_.fail(part["cat_boundaries"], "a set goes beyond 'cat_threshold', or two splits have it",
                            "the file is damaged");
            }
            is_used[set] = true;
            builder_.model.features[features[i]].is_categorical = true;
            add_categorical_split(builder_, split, bits(std::span(words).subspan(begin, end - begin)));
        }
    }

    static std::vector<double> bits(std::span<const std::uint32_t> words) {
        std::vector<double> members;
        for (std::size_t bit = 0; bit < words.size() * 32; ++bit) {
            if ((words[bit / 32] >> bit % 32 & 1U) != 0) {
                members.push_back(static_cast<double>(bit));
            }
        }
        return members;
    }

    // Trees of one leaf have none; old files lack the counts.
    void notes(Part &part, std::uint32_t leaves, std::string_view title) {
        TrainingNotes &notes = builder_.model.notes;
        const auto append = [&](std::vector<double> &all, std::string_view key, std::size_t count) {
            if (part.contains(key)) {
                const std::vector<double> values = lines_.numbers<double>(part[key]);
                if (values.size() == count) {
                    all.insert(all.end(), values.begin(), values.end());
                    return;
                }
                if (leaves > 1) {
                    lines_.list<double>(part, key, count, title);
                }
            }
            all.resize(all.size() + count);
        };
        append(notes.gains, "split_gain", leaves - 1);
        append(notes.split_weights, "internal_count", leaves - 1);
        append(notes.leaf_weights, "leaf_count", leaves);
    }

    void tail() {
        Forest &forest = builder_.model.forest;
        if (is_average_ && !forest.trees.empty()) {
            builder_.model.transform.divisor =
                static_cast<double>(std::max<std::size_t>(1, forest.trees.size() / forest.outputs));
        }
        while (const auto line = lines_.next_line()) {
            constexpr std::string_view key = "pandas_categorical:";
            if (line->starts_with(key)) {
                if (auto error = add_pandas_categories(builder_.model, lines_.source(), line->substr(key.size()))) {
                    throw Broken{*std::move(error)};
                }
            }
        }
    }

    KeyedLines lines_;
    bool ended_ = false;
    bool is_average_ = false;
    ModelBuilder builder_;
};

}  // namespace

Result<Model> read_lightgbm_text(std::string_view source) {
    return LightGbmText(source).run();
}

}  // namespace tenrex::forest
