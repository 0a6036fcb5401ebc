#include "lib/onnx/tree_ensemble.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lib/forest/check_forest.h"
#include "lib/forest/model.h"
#include "lib/forest/model_builder.h"
#include "lib/onnx/ensemble_parts.h"
#include "lib/onnx/ensemble_trees.h"

namespace tenrex::onnx {

namespace {

using forest::Link;

struct PostTransform {
    std::int64_t number;  // in TreeEnsemble
    std::string_view text;
    Link link;
};
constexpr PostTransform post_transforms[] = {{0, "NONE", Link::identity},
                                             {1, "SOFTMAX", Link::softmax},
                                             {2, "LOGISTIC", Link::sigmoid},
                                             {3, "SOFTMAX_ZERO", Link::softmax_of_others}};

// Operators that converters put behind trees, which change no score.
constexpr std::string_view carriers[] = {"Cast", "Identity", "ZipMap"};

bool has_trees(const Node &node) {
    return node.domain == "ai.onnx.ml" && node.op.starts_with("TreeEnsemble");
}

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
            features();
            add_trees(node_, std::move(parts_), base_, targets_name_, model_.forest);
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
        if (one_column &&
            (model_.transform.link == Link::softmax || model_.transform.link == Link::softmax_of_others)) {
            node_.fail("post_transform",
                       fmt::format("{} is not supported for two classes with the trees of one", model_.objective),
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
                       "NONE, LOGISTIC, SOFTMAX and SOFTMAX_ZERO are possible");
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

    const Model &file_;
    EnsembleNode node_;
    EnsembleParts parts_;
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
        if (has_trees(node)) {
            if (found != nullptr) {
                return Error("the model has more than one node with trees", "save each forest as a model of its own");
            }
            found = &node;
        }
    }
    if (found == nullptr) {
        return Error("the model has no node with trees",
                     "TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble are read");
    }
    const auto is_carrier = [](const Node &node) {
        return std::find(std::begin(carriers), std::end(carriers), node.op) != std::end(carriers);
    };
    for (const Node &node : file->nodes) {
        const bool comes_before = std::any_of(node.outputs.begin(), node.outputs.end(), [&](std::string_view output) {
            return !found->inputs.empty() && output == found->inputs[0];
        });
        if (&node != found && (comes_before || !is_carrier(node))) {
            return Error(fmt::format("node '{}' of operator {} {} the trees, but a forest is nothing but trees",
                                     node.name.substr(0, 100), node.op.substr(0, 100),
                                     comes_before ? "stands before" : "stands beside"),
                         "export the trees alone, and write the rest as an expression");
        }
    }
    return TreeEnsembleReader(*file, *found).run();
}

bool has_tree_ensemble(const Model &file) {
    return std::any_of(file.nodes.begin(), file.nodes.end(), has_trees);
}

}  // namespace tenrex::onnx
