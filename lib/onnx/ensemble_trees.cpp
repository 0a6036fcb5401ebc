#include "lib/onnx/ensemble_trees.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "lib/forest/model_builder.h"
#include "lib/onnx/equal_parts.h"

namespace tenrex::onnx {

namespace {

// A leaf that adds to one output may stand beside one that adds to all. Then each has a value for every output, which
// are this many, or in proportion to the weights that the file gives.
constexpr std::size_t most_free_values = std::size_t{1} << 22;
constexpr std::size_t most_values_of_weight = 16;

class EnsembleTrees {
public:
    EnsembleTrees(const EnsembleNode &node, EnsembleParts parts, std::string_view targets_name, forest::Forest &forest)
        : node_(node),
          parts_(std::move(parts)),
          targets_name_(targets_name),
          forest_(forest),
          seen_(parts_.rows.size()) {}

    void run_apart() {
        begin(1);
        for (const std::int64_t root : parts_.roots) {
            add_tree(root);
            forest_.trees.back().output = static_cast<std::uint32_t>(forest_.trees.size() - 1);
        }
        const auto has_none = [&](std::size_t leaf) { return weights_of(leaf).empty(); };
        if (std::any_of(leaves_.begin(), leaves_.end(), has_none)) {
            node_.fail(targets_name_, "a leaf has no weight", "give all leaves a weight");
        }
        forest_.sets = std::move(parts_.sets);
        set_numbers();
    }

    void run(std::span<const double> base) {
        begin(forest_.outputs);
        for (const std::int64_t root : parts_.roots) {
            add_tree(root);
            forest_.vector_leaves = !set_output() || forest_.vector_leaves;
        }
        forest_.sets = std::move(parts_.sets);
        forest_.vector_leaves ? set_vectors() : set_numbers();
        add_base(base);
    }

private:
    void begin(std::uint32_t targets) {
        sort_weights(targets);
        if (std::any_of(parts_.rows.begin(), parts_.rows.end(), asks_for_number)) {
            equal_parts_.emplace(parts_, weights_of_);
        }
    }

    void sort_weights(std::uint32_t targets) {
        for (const LeafWeight &weight : parts_.weights) {
            if (weight.target >= targets) {
                node_.fail(targets_name_, fmt::format("a leaf adds to output {} of {}", weight.target, targets));
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

    std::span<const LeafWeight> weights_of(std::size_t leaf) const {
        return std::span(parts_.weights).subspan(weights_of_[leaf], weights_of_[leaf + 1] - weights_of_[leaf]);
    }

    // x == number, and what passes goes the first way.
    static bool asks_for_number(const SplitRow &row) {
        return row.split.test == forest::Test::equal && !row.leads_when_false;
    }

    void see(std::size_t row) {
        if (seen_[row]) {
            node_.fail("nodes_truenodeids", fmt::format("split {} has two places in the trees", row));
        }
        seen_[row] = true;
    }

    // Rows that ask for one number after the other and lead to the same are one that asks for a set.
    SplitRow take_row(std::size_t number) {
        see(number);
        SplitRow row = parts_.rows[number];
        if (!asks_for_number(row)) {
            return row;
        }
        forest::NumberSet set{{row.split.threshold}, false, false};
        while (row.when_false >= 0) {
            const auto next_number = static_cast<std::size_t>(row.when_false);
            const SplitRow &next = parts_.rows[next_number];
            if (!asks_for_number(next) || next.feature != row.feature ||
                equal_parts_->number(next.when_true) != equal_parts_->number(row.when_true)) {
                break;
            }
            see(next_number);
            set.members.push_back(next.split.threshold);
            row.split.missing_passes = row.split.missing_passes || next.split.missing_passes;
            row.when_false = next.when_false;
        }
        if (set.members.size() > 1) {
            std::sort(set.members.begin(), set.members.end());
            set.members.erase(std::unique(set.members.begin(), set.members.end()), set.members.end());
            row.split.test = forest::Test::in_set;
            row.split.threshold = 0;
            row.split.set = static_cast<std::uint32_t>(parts_.sets.size());
            parts_.sets.push_back(std::move(set));
        }
        return row;
    }

    void add_tree(std::int64_t root) {
        struct Open {
            std::int64_t place;
            std::int32_t split;  // below 0: it is the root
            bool when_true;
        };
        std::vector<Open> open{{root, -1, false}};
        forest_.trees.push_back({0, 0});
        first_leaf_ = leaves_.size();
        while (!open.empty()) {
            const Open at = open.back();
            open.pop_back();
            std::int32_t part = 0;
            if (at.place < 0) {
                part = ~static_cast<std::int32_t>(leaves_.size());
                leaves_.push_back(static_cast<std::size_t>(~at.place));
            } else {
                const SplitRow row = take_row(static_cast<std::size_t>(at.place));
                part = static_cast<std::int32_t>(forest_.splits.size());
                forest_.splits.push_back(row.split);
                forest_.splits.back().feature = static_cast<std::uint32_t>(row.feature);
                open.push_back({row.when_false, part, row.leads_when_false});
                open.push_back({row.when_true, part, !row.leads_when_false});
            }
            if (at.split < 0) {
                forest_.trees.back().root = part;
            } else {
                forest::Split &split = forest_.splits[static_cast<std::size_t>(at.split)];
                (at.when_true ? split.when_true : split.when_false) = part;
            }
        }
    }

    // Of the last tree. False if its leaves add to several.
    bool set_output() {
        std::int64_t output = -1;
        for (std::size_t i = first_leaf_; i < leaves_.size(); ++i) {
            for (const LeafWeight &weight : weights_of(leaves_[i])) {
                if (output >= 0 && output != weight.target) {
                    return false;
                }
                output = weight.target;
            }
        }
        forest_.trees.back().output = static_cast<std::uint32_t>(std::max(output, std::int64_t{0}));
        return true;
    }

    void set_numbers() {
        for (const std::size_t leaf : leaves_) {
            const auto weights = weights_of(leaf);
            forest_.leaves.push_back(weights.empty() ? 0.0 : weights.front().weight);
        }
    }

    void set_vectors() {
        const std::size_t outputs = forest_.outputs;
        const std::size_t most =
            std::min(std::max(most_free_values, most_values_of_weight * parts_.weights.size()), forest::most_parts);
        // One more: the base values.
        if (leaves_.size() + 1 > most / outputs) {
            node_.fail(targets_name_,
                       fmt::format("{} leaves with values for {} outputs are too many for a file with {} weights",
                                   leaves_.size(), outputs, parts_.weights.size()),
                       fmt::format("the most is {} values; give each output trees of its own", most));
        }
        forest_.leaves.resize(leaves_.size() * outputs);
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
            for (const LeafWeight &weight : weights_of(leaves_[i])) {
                forest_.leaves[i * outputs + weight.target] = weight.weight;
            }
        }
        for (forest::Tree &tree : forest_.trees) {
            tree.output = 0;
        }
    }

    // Trees of one leaf: sums begin with 0 and end with these.
    void add_base(std::span<const double> base) {
        if (std::all_of(base.begin(), base.end(), [](double number) { return number == 0; })) {
            return;
        }
        const auto leaf = static_cast<std::int32_t>(leaves_.size());
        const std::uint32_t trees = forest_.vector_leaves ? 1 : forest_.outputs;
        for (std::uint32_t tree = 0; tree < trees; ++tree) {
            forest_.trees.push_back({~(leaf + static_cast<std::int32_t>(tree)), tree});
        }
        forest_.leaves.insert(forest_.leaves.end(), base.begin(), base.end());
    }

    const EnsembleNode &node_;
    EnsembleParts parts_;
    std::string_view targets_name_;
    forest::Forest &forest_;
    std::vector<bool> seen_;
    std::vector<std::size_t> weights_of_;    // where the weights of each leaf begin
    std::optional<EqualParts> equal_parts_;  // if a row asks for a number
    std::vector<std::size_t> leaves_;        // for each leaf of the forest that of the file
    std::size_t first_leaf_ = 0;             // of the last tree
};

}  // namespace

void add_trees(const EnsembleNode &node, EnsembleParts parts, std::span<const double> base,
               std::string_view targets_name, forest::Forest &forest) {
    EnsembleTrees(node, std::move(parts), targets_name, forest).run(base);
}

void add_trees_apart(const EnsembleNode &node, EnsembleParts parts, std::string_view targets_name,
                     forest::Forest &forest) {
    EnsembleTrees(node, std::move(parts), targets_name, forest).run_apart();
}

}  // namespace tenrex::onnx
