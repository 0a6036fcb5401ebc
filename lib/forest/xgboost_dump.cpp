#include <algorithm>
#include <limits>
#include <unordered_map>

#include "lib/forest/broken.h"
#include "lib/forest/check_forest.h"
#include "lib/forest/model_builder.h"
#include "lib/forest/xgboost.h"
#include "lib/support/format.h"
#include "lib/types/quoted_text.h"

namespace tenrex::forest {

namespace {

using Id = Document::Id;

class XgboostDump {
public:
    XgboostDump(const Document &document, const DumpOptions &options) : document_(document), options_(options) {}

    Result<Model> run() {
        try {
            Model &model = builder_.model;
            model.format = "XGBoost JSON dump";
            model.forest.outputs = options_.outputs;
            model.forest.float_features = true;
            model.forest.sum = SumType::in_float;
            const auto base_score = static_cast<double>(static_cast<float>(options_.base_score));
            model.forest.initial.assign(options_.outputs, base_score);
            feature_map();
            for (Id tree = document_.first(document_.root()); tree != Document::none; tree = document_.next(tree)) {
                add_tree(tree);
            }
        } catch (const Broken &broken) {
            return broken.error;
        }
        return std::move(builder_).finish();
    }

private:
    [[noreturn]] void fail(Id where, std::string message, std::string hint = "the file is damaged") const {
        throw Broken{document_.error(where, std::move(message), std::move(hint))};
    }
    double number(Id node, std::string_view key) const {
        return get(document_.number(get(document_.member(node, key))));
    }
    double number_or_zero(Id node, std::string_view key) const {
        return document_.find(node, key) == Document::none ? 0.0 : number(node, key);
    }

    // "0 price q": the number of a feature, its name and its type, between white space.
    void feature_map() {
        std::string_view rest = options_.feature_map;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            std::string_view line = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            std::string_view words[3];
            for (std::string_view &word : words) {
                const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
                const std::size_t behind = std::min(line.find_first_of(" \t\r", begin), line.size());
                word = line.substr(begin, behind - begin);
                line.remove_prefix(behind);
            }
            if (words[0].empty()) {
                continue;
            }
            if (words[1].empty()) {
                const auto begin = static_cast<std::size_t>(words[0].data() - options_.feature_map.data());
                throw Broken{error_at(options_.feature_map, FileKind::text, begin, begin + words[0].size(),
                                      "the line of the feature map has no name",
                                      "write 'number name type' in each line")};
            }
            names_.emplace(fmt::format("f{}", words[0]), words[1]);
            feature(words[1]).is_categorical = words[2] == "c";
        }
    }

    FeatureInfo &feature(std::string_view name) {
        const auto [found, is_new] = features_.emplace(name, builder_.model.features.size());
        if (is_new) {
            builder_.model.features.push_back({std::string(name), true, false, {}});
        }
        return builder_.model.features[found->second];
    }

    struct Open {
        Id node;
        std::int32_t split;  // below 0: it is the root
        bool when_true;
    };

    void add_tree(Id tree) {
        Forest &forest = builder_.model.forest;
        forest.trees.push_back({0, static_cast<std::uint32_t>(forest.trees.size() % forest.outputs)});
        std::vector<Open> open{{tree, -1, false}};
        while (!open.empty()) {
            const Open at = open.back();
            open.pop_back();
            std::int32_t part = 0;
            if (document_.find(at.node, "leaf") != Document::none) {
                part = ~builder_.first_leaf();
                forest.leaves.push_back(static_cast<double>(static_cast<float>(number(at.node, "leaf"))));
                builder_.model.notes.leaf_weights.push_back(number_or_zero(at.node, "cover"));
            } else {
                part = add_split(at.node, open);
            }
            if (at.split < 0) {
                forest.trees.back().root = part;
            } else {
                Split &split = forest.splits[static_cast<std::uint32_t>(at.split)];
                (at.when_true ? split.when_true : split.when_false) = part;
            }
        }
    }

    std::int32_t add_split(Id node, std::vector<Open> &open) {
        const std::int32_t part = builder_.first_split();
        std::string_view name = get(document_.text(get(document_.member(node, "split"))));
        if (const auto mapped = names_.find(std::string(name)); mapped != names_.end()) {
            name = mapped->second;
        }
        FeatureInfo &tested = feature(name);
        const double yes = number(node, "yes");
        const double no = number(node, "no");
        Split split;
        split.feature = static_cast<std::uint32_t>(features_.at(tested.name));
        split.missing_passes = document_.find(node, "missing") != Document::none && number(node, "missing") == yes;
        const Id condition = document_.find(node, "split_condition");
        if (condition == Document::none) {
            // An indicator: what is there passes.
            split.test = Test::less_equal;
            split.threshold = std::numeric_limits<double>::infinity();
        } else if (document_.kind(condition) == Document::Kind::numbers) {
            NumberSet set{get(document_.numbers(condition)), true, true};
            std::sort(set.members.begin(), set.members.end());
            set.members.erase(std::unique(set.members.begin(), set.members.end()), set.members.end());
            split.test = Test::in_set;
            split.set = builder_.add_set(std::move(set));
            tested.is_categorical = true;
        } else {
            split.threshold = static_cast<double>(static_cast<float>(get(document_.number(condition))));
        }
        builder_.model.forest.splits.push_back(split);
        builder_.model.notes.gains.push_back(number_or_zero(node, "gain"));
        builder_.model.notes.split_weights.push_back(number_or_zero(node, "cover"));
        const Id children = get(document_.member(node, "children"));
        bool found_yes = false;
        bool found_no = false;
        for (Id child = document_.first(children); child != Document::none; child = document_.next(child)) {
            const double id = number(child, "nodeid");
            if ((id == yes && !found_yes) || (id == no && !found_no)) {
                (id == yes ? found_yes : found_no) = true;
                open.push_back({child, part, id == yes});
            }
        }
        if (!found_yes || !found_no) {
            fail(node, "the children of the node are not those that \"yes\" and \"no\" name");
        }
        return part;
    }

    const Document &document_;
    const DumpOptions &options_;
    ModelBuilder builder_;
    std::unordered_map<std::string, std::string_view> names_;  // of the feature map: f0 to the name
    std::unordered_map<std::string, std::size_t> features_;
};

}  // namespace

Result<Model> read_xgboost_dump(const Document &document, const DumpOptions &options) {
    if (document.kind(document.root()) != Document::Kind::list) {
        return document.error(document.root(), "a dump of XGBoost is a list of trees");
    }
    if (options.outputs == 0 || options.outputs > most_outputs) {
        return Error(fmt::format("a dump has from 1 to {} outputs", most_outputs));
    }
    return XgboostDump(document, options).run();
}

}  // namespace tenrex::forest
