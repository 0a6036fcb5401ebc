#include "lib/onnx/tree_ensemble.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lib/forest/check_forest.h"
#include "lib/forest/model.h"
#include "lib/forest/model_builder.h"
#include "lib/onnx/ensemble_parts.h"

namespace tenrex::onnx {

namespace {

using forest::Link;

struct PostTransform {
    std::int64_t number;  // in TreeEnsemble
    std::string_view text;
    Link link;
};
constexpr PostTransform post_transforms[] = {
    {0, "NONE", Link::identity}, {1, "SOFTMAX", Link::softmax}, {2, "LOGISTIC", Link::sigmoid}};

class TreeEnsembleReader {
public:
    TreeEnsembleReader(const Model &file, const Node &node) : file_(file), node_(node) {}

    Result<Forest> run() {
        try {
            if (node_.node().op == "TreeEnsembleRegressor") {
                regressor();
            } else if (node_.node().op == "TreeEnsembleClassifier") {
                classifier();
            } else {
                ensemble();
            }
            sort_weights();
            features();
            trees();
        } catch (const BadEnsemble &bad) {
            return bad.error;
        }
        return Forest::build(std::move(model_));
    }

private:
    void regressor() {
        parts_ = read_listed_nodes(node_, {"target_treeids", "target_nodeids", "target_ids", "target_weights"});
        targets_name_ = "target_ids";
        base_ = node_.numbers("base_values");
        outputs(node_.integer("n_targets", 1), "n_targets");
        const std::string_view how = node_.text("aggregate_function", "SUM");
        aggregate(how == "SUM" ? 1 : how == "AVERAGE" ? 0 : 2, how);
        transform(-1, node_.text("post_transform", "NONE"));
        one_sum_is_plain();
        numbers_are(node_.has_doubles("nodes_values") || node_.has_doubles("target_weights"));
    }

    void classifier() {
        parts_ = read_listed_nodes(node_, {"class_treeids", "class_nodeids", "class_ids", "class_weights"});
        targets_name_ = "class_ids";
        const auto labels =
            std::max(node_.integers("classlabels_int64s").size(), node_.texts("classlabels_strings").size());
        const auto targets = node_.integers("class_ids");
        base_ = node_.numbers("base_values");
        const bool one_column = labels == 2 && !targets.empty() &&
                                std::all_of(targets.begin(), targets.end(), [&](auto id) { return id == targets[0]; });
        if (one_column) {
            // Two classes whose trees are all for one of them: the score of the second class.
            for (LeafWeight &weight : parts_.weights) {
                weight.target = 0;
            }
            if (targets[0] > 1) {
                node_.fail("class_ids", fmt::format("there is no class {}", targets[0]));
            }
            if (!base_.empty() && (base_.size() != 1 || targets[0] != 0)) {
                node_.fail("base_values",
                           "of two classes with the trees of one, only one value for class 0 is supported",
                           "export the model without them, and add them in the expression");
            }
        }
        outputs(one_column ? 1 : static_cast<std::int64_t>(labels), "classlabels_int64s");
        transform(-1, node_.text("post_transform", "NONE"));
        if (one_column && model_.transform.link == Link::softmax) {
            node_.fail("post_transform", "SOFTMAX is not supported for two classes with the trees of one",
                       "LOGISTIC is what converters write there");
        }
        numbers_are(node_.has_doubles("nodes_values") || node_.has_doubles("class_weights"));
    }

    void ensemble() {
        parts_ = read_split_nodes(node_);
        outputs(node_.integer("n_targets", 1), "n_targets");
        const std::int64_t how = node_.integer("aggregate_function", 1);
        aggregate(how, fmt::format("{}", how));
        transform(node_.integer("post_transform", 0), {});
        one_sum_is_plain();
        numbers_are(node_.has_doubles("nodes_splits"));
    }

    void outputs(std::int64_t count, std::string_view attribute) {
        if (count < 1 || count > forest::most_outputs) {
            node_.fail(attribute,
                       fmt::format("there are {} outputs; from 1 to {} are possible", count, forest::most_outputs));
        }
        model_.forest.outputs = static_cast<std::uint32_t>(count);
        model_.forest.initial.assign(model_.forest.outputs, 0.0);
        if (!base_.empty()) {
            node_.check_size("base_values", base_.size(), model_.forest.outputs);
        }
    }

    bool has_base() const {
        return std::any_of(base_.begin(), base_.end(), [](double base) { return base != 0; });
    }
    // 0: average, 1: sum, as TreeEnsemble numbers them.
    void aggregate(std::int64_t how, std::string_view text) {
        if (how != 0 && how != 1) {
            node_.fail("aggregate_function", fmt::format("'{}' is not supported", text.substr(0, 100)),
                       "a forest is a sum or an average; export the model with one of these");
        }
        if (how == 0 && has_base()) {
            node_.fail("base_values", "base values that are added to an average are not supported",
                       "export the model without them, and add them in the expression");
        }
        if (how == 0 && !parts_.roots.empty()) {
            model_.forest.divisor = static_cast<double>(parts_.roots.size());
        }
    }

    void transform(std::int64_t number, std::string_view text) {
        const auto *const found = std::find_if(
            std::begin(post_transforms), std::end(post_transforms),
            [&](const PostTransform &each) { return text.empty() ? each.number == number : each.text == text; });
        if (found == std::end(post_transforms)) {
            node_.fail("post_transform",
                       text.empty() ? fmt::format("{} is not supported", number)
                                    : fmt::format("'{}' is not supported", text.substr(0, 100)),
                       "NONE, LOGISTIC and SOFTMAX are possible");
        }
        model_.objective = found->text;
        model_.transform.link = found->link;
    }

    // ONNX Runtime, which models are tried with, leaves out the transform of a single output that is no class.
    void one_sum_is_plain() {
        if (model_.forest.outputs == 1) {
            model_.transform.link = Link::identity;
        }
    }

    void numbers_are(bool doubles) {
        model_.format = fmt::format("ONNX {}", node_.node().op);
        model_.forest.float_features = !doubles;
        model_.forest.sum = doubles ? forest::SumType::in_double : forest::SumType::in_float;
    }

    void sort_weights() {
        const std::uint32_t outputs = model_.forest.outputs;
        for (const LeafWeight &weight : parts_.weights) {
            if (weight.target >= outputs) {
                node_.fail(targets_name_, fmt::format("a leaf adds to output {} of {}", weight.target, outputs));
            }
        }
        std::stable_sort(parts_.weights.begin(), parts_.weights.end(), [](const LeafWeight &a, const LeafWeight &b) {
            return std::pair(a.leaf, a.target) < std::pair(b.leaf, b.target);
        });
        weights_of_.assign(parts_.leaves + 1, 0);
        for (std::size_t i = 0; i < parts_.weights.size(); ++i) {
            const LeafWeight &weight = parts_.weights[i];
            if (i > 0 && parts_.weights[i - 1].leaf == weight.leaf && parts_.weights[i - 1].target == weight.target) {
                node_.fail(targets_name_, fmt::format("a leaf has two weights for output {}", weight.target));
            }
            ++weights_of_[weight.leaf + 1];
        }
        for (std::size_t leaf = 0; leaf < parts_.leaves; ++leaf) {
            weights_of_[leaf + 1] += weights_of_[leaf];
        }
    }

    // As many as the input has columns, or as the splits need.
    void features() {
        std::int64_t count = 0;
        for (const SplitRow &row : parts_.rows) {
            count = std::max(count, row.feature + 1);
        }
        const std::vector<std::string_view> &inputs = node_.node().inputs;
        for (const ValueInfo &value : file_.inputs) {
            if (!inputs.empty() && value.name == inputs[0] && value.shape.size() == 2 && value.shape[1].size) {
                count = std::max(count, std::min(*value.shape[1].size, std::int64_t{1} << 20));
            }
        }
        for (std::int64_t number = 0; number < count; ++number) {
            model_.features.push_back({fmt::format("f{}", number), false, false, {}});
        }
    }

    void trees() {
        forest::Forest &forest = model_.forest;
        forest.sets = std::move(parts_.sets);
        forest.vector_leaves = forest.outputs > 1;
        std::vector<bool> seen(parts_.rows.size());
        for (const std::int64_t root : parts_.roots) {
            add_tree(root, seen);
        }
        // The base values are added last: a tree of one leaf.
        if (has_base()) {
            forest.trees.push_back({~static_cast<std::int32_t>(forest.leaves.size() / forest.outputs), 0});
            forest.leaves.insert(forest.leaves.end(), base_.begin(), base_.end());
        }
    }

    void add_tree(std::int64_t root, std::vector<bool> &seen) {
        forest::Forest &forest = model_.forest;
        struct Open {
            std::int64_t place;
            std::int32_t split;  // below 0: it is the root
            bool when_true;
        };
        std::vector<Open> open{{root, -1, false}};
        forest.trees.push_back({0, 0});
        while (!open.empty()) {
            const Open at = open.back();
            open.pop_back();
            std::int32_t part = 0;
            if (at.place < 0) {
                part = ~add_leaf(static_cast<std::size_t>(~at.place));
            } else {
                const auto number = static_cast<std::size_t>(at.place);
                if (seen[number]) {
                    node_.fail("nodes_truenodeids", fmt::format("split {} has two places in the trees", number));
                }
                seen[number] = true;
                const SplitRow &row = parts_.rows[number];
                part = static_cast<std::int32_t>(forest.splits.size());
                forest.splits.push_back(row.split);
                forest.splits.back().feature = static_cast<std::uint32_t>(row.feature);
                open.push_back({row.when_false, part, row.leads_when_false});
                open.push_back({row.when_true, part, !row.leads_when_false});
            }
            if (at.split < 0) {
                forest.trees.back().root = part;
            } else {
                forest::Split &split = forest.splits[static_cast<std::size_t>(at.split)];
                (at.when_true ? split.when_true : split.when_false) = part;
            }
        }
    }

    std::int32_t add_leaf(std::size_t leaf) {
        std::vector<double> &leaves = model_.forest.leaves;
        const std::size_t begin = leaves.size();
        if (begin + model_.forest.outputs > forest::most_parts) {
            node_.fail("nodes_modes", "the leaves have too many values", "the most is 2^28, for all outputs together");
        }
        leaves.resize(begin + model_.forest.outputs);
        for (std::size_t i = weights_of_[leaf]; i < weights_of_[leaf + 1]; ++i) {
            leaves[begin + parts_.weights[i].target] = parts_.weights[i].weight;
        }
        return static_cast<std::int32_t>(begin / model_.forest.outputs);
    }

    const Model &file_;
    EnsembleNode node_;
    EnsembleParts parts_;
    std::vector<std::size_t> weights_of_;  // where the weights of each leaf begin
    std::vector<double> base_;
    std::string_view targets_name_ = "leaf_targetids";
    forest::Model model_;
};

}  // namespace

Result<Forest> read_tree_ensemble(std::string_view bytes) {
    const Result<Model> file = read_model(bytes);
    if (!file) {
        return file.error();
    }
    const Node *found = nullptr;
    for (const Node &node : file->nodes) {
        if (node.domain != "ai.onnx.ml" || !node.op.starts_with("TreeEnsemble")) {
            continue;
        }
        if (found != nullptr) {
            return Error("the model has more than one node with trees", "save each forest as a model of its own");
        }
        found = &node;
    }
    if (found == nullptr) {
        return Error("the model has no node with trees",
                     "TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble are read");
    }
    return TreeEnsembleReader(*file, *found).run();
}

}  // namespace tenrex::onnx
