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

using forest::Choice;
using forest::Link;

struct PostTransform {
    std::int64_t number;  // in TreeEnsemble
    std::string_view text;
    Link link;
};
constexpr PostTransform post_transforms[] = {{0, "NONE", Link::identity},
                                             {1, "SOFTMAX", Link::softmax},
                                             {2, "LOGISTIC", Link::sigmoid},
                                             {3, "SOFTMAX_ZERO", Link::softmax_of_others},
                                             {4, "PROBIT", Link::probit}};

struct AggregateFunction {
    std::int64_t number;  // in TreeEnsemble
    std::string_view text;
    Choice choice;
};
constexpr std::int64_t average = 0;
constexpr AggregateFunction aggregate_functions[] = {{average, "AVERAGE", Choice::each},
                                                     {1, "SUM", Choice::each},
                                                     {2, "MIN", Choice::smallest},
                                                     {3, "MAX", Choice::largest}};

// The row with the text, or with the number if there is none.
template <class Rows>
auto find_row(const Rows &rows, std::int64_t number, std::string_view text) {
    return std::find_if(std::begin(rows), std::end(rows),
                        [&](const auto &each) { return text.empty() ? each.number == number : each.text == text; });
}

// Operators that converters put behind trees, which change no score.
constexpr std::string_view carriers[] = {"Cast", "Identity", "ZipMap"};

bool has_trees(const Node &node) {
    return node.domain == "ai.onnx.ml" && node.op.starts_with("TreeEnsemble");
}

bool is_carrier(const Node &node) {
    return std::find(std::begin(carriers), std::end(carriers), node.op) != std::end(carriers);
}

bool stands_before(const Node &node, const Node &trees) {
    return !trees.inputs.empty() &&
           std::find(node.outputs.begin(), node.outputs.end(), trees.inputs[0]) != node.outputs.end();
}

class TreeEnsembleReader {
public:
    TreeEnsembleReader(const Node &node, std::int64_t columns) : node_(node), columns_(columns) {}

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
            if (model_.transform.choice == Choice::each) {
                add_trees(node_, std::move(parts_), base_, targets_name_, model_.forest);
            } else {
                add_trees_apart(node_, std::move(parts_), targets_name_, model_.forest);
            }
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
        aggregate(-1, node_.text("aggregate_function", "SUM"));
        transform(-1, node_.text("post_transform", "NONE"));
        one_sum_is_plain();
        numbers_are(node_.has_doubles("nodes_values") || node_.has_doubles("target_weights"));
    }

    void classifier() {
        parts_ = read_listed_nodes(node_, {"class_treeids", "class_nodeids", "class_ids", "class_weights"});
        targets_name_ = "class_ids";
        const auto numbers = node_.integers("classlabels_int64s");
        const auto labels = std::max(numbers.size(), node_.texts("classlabels_strings").size());
        const auto targets = node_.integers("class_ids");
        base_ = node_.numbers("base_values");
        const bool one_column = labels == 2 && !targets.empty() &&
                                std::all_of(targets.begin(), targets.end(), [&](auto id) { return id == targets[0]; });
        if (one_column) {
            // Two classes whose trees are all for one of them: the score of the second class.
            for (LeafWeight &weight : parts_.weights) {
                weight.target = 0;
            }
            const bool no_weight_is_below_0 = std::all_of(parts_.weights.begin(), parts_.weights.end(),
                                                          [](const LeafWeight &each) { return each.weight >= 0; });
            model_.labels.threshold = no_weight_is_below_0 ? 0.5 : 0;
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
        const Link link = model_.transform.link;
        if (one_column && link != Link::identity && link != Link::sigmoid) {
            node_.fail("post_transform",
                       fmt::format("{} is not supported for two classes with the trees of one", model_.objective),
                       "LOGISTIC is what converters write there");
        }
        numbers_are(node_.has_doubles("nodes_values") || node_.has_doubles("class_weights"));
        model_.labels.are_texts = numbers.empty();
        model_.labels.numbers.assign(numbers.begin(), numbers.end());
    }

    void ensemble() {
        parts_ = read_split_nodes(node_);
        outputs(node_.integer("n_targets", 1), "n_targets");
        aggregate(node_.integer("aggregate_function", 1), {});
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

    [[noreturn]] void fail_unknown(std::string_view attribute, std::int64_t number, std::string_view text,
                                   std::string hint) const {
        const std::string given = text.empty() ? fmt::format("{}", number) : fmt::format("'{}'", text.substr(0, 100));
        node_.fail(attribute, fmt::format("{} is not known", given), std::move(hint));
    }

    // Sums begin with 0 and end with base values. What is not a sum gets them afterwards.
    void aggregate(std::int64_t number, std::string_view text) {
        const auto *const found = find_row(aggregate_functions, number, text);
        if (found == std::end(aggregate_functions)) {
            fail_unknown("aggregate_function", number, text, "SUM, AVERAGE, MIN and MAX are possible");
        }
        const bool has_base = std::any_of(base_.begin(), base_.end(), [](double base) { return base != 0; });
        if (has_base && (found->number == average || found->choice != Choice::each)) {
            model_.transform.offsets = std::exchange(base_, {});
        }
        model_.transform.choice = found->choice;
        if (found->choice != Choice::each && model_.forest.outputs != 1) {
            node_.fail(
                "aggregate_function",
                fmt::format("{} of the trees is not supported for {} outputs", found->text, model_.forest.outputs),
                "export a model for each output");
        } else if (found->choice != Choice::each) {
            base_.clear();
            outputs(static_cast<std::int64_t>(parts_.roots.size()), "aggregate_function");
        } else if (found->number == average && !parts_.roots.empty()) {
            model_.forest.divisor = static_cast<double>(parts_.roots.size());
        }
    }

    void transform(std::int64_t number, std::string_view text) {
        const auto *const found = find_row(post_transforms, number, text);
        if (found == std::end(post_transforms)) {
            fail_unknown("post_transform", number, text,
                         "NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO and PROBIT are possible");
        }
        model_.objective = found->text;
        model_.transform.link = found->link;
    }

    // ONNX Runtime, which models are tried with, leaves out most transforms of a single output that is no class.
    void one_sum_is_plain() {
        const bool is_one = model_.forest.outputs == 1 || model_.transform.choice != Choice::each;
        if (is_one && model_.transform.link != Link::probit) {
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
        std::int64_t count = columns_;
        for (const SplitRow &row : parts_.rows) {
            count = std::max(count, row.feature + 1);
        }
        for (std::int64_t number = 0; number < count; ++number) {
            model_.features.push_back({fmt::format("f{}", number), false, false, {}});
        }
    }

    EnsembleNode node_;
    std::int64_t columns_;
    EnsembleParts parts_;
    std::vector<double> base_;
    std::string_view targets_name_ = "leaf_targetids";
    forest::Model model_;
};

// What the file says of the input; 0 if it does not.
std::int64_t columns_of(const Model &file, const Node &node) {
    for (const ValueInfo &value : file.inputs) {
        if (!node.inputs.empty() && value.name == node.inputs[0] && value.shape.size() == 2 && value.shape[1].size) {
            return std::min(*value.shape[1].size, std::int64_t{1} << 20);
        }
    }
    return 0;
}

}  // namespace

Result<Forest> forest_of(const Node &node, std::int64_t columns) {
    return TreeEnsembleReader(node, columns).run();
}

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
    for (const Node &node : file->nodes) {
        const bool comes_before = stands_before(node, *found);
        if (&node != found && (comes_before || !is_carrier(node))) {
            return Error(fmt::format("node '{}' of operator {} {} the trees, but a forest is nothing but trees",
                                     node.name.substr(0, 100), node.op.substr(0, 100),
                                     comes_before ? "stands before" : "stands beside"),
                         "export the trees alone, and write the rest as an expression");
        }
    }
    return forest_of(*found, columns_of(*file, *found));
}

bool is_forest(const Model &file) {
    const auto found = std::find_if(file.nodes.begin(), file.nodes.end(), has_trees);
    return found != file.nodes.end() && std::all_of(file.nodes.begin(), file.nodes.end(), [&](const Node &node) {
               return &node == &*found || (is_carrier(node) && !stands_before(node, *found));
           });
}

}  // namespace tenrex::onnx
