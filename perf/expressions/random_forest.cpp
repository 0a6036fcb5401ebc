#include "perf/expressions/random_forest.h"

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace tenrex::perf {

namespace {

class TreeText {
public:
    TreeText(const ForestSizes &sizes, std::mt19937 &random) : sizes_(sizes), random_(random) {}

    std::string text(std::size_t number) {
        grow();
        std::string features, thresholds, gains, types, left, right, leaves;
        for (const Split &split : splits_) {
            features += fmt::format("{} ", random_() % sizes_.features);
            thresholds += fmt::format("{} ", (static_cast<double>(random_() % 255) - 127) / 128);
            gains += "1 ";
            types += random_() % 2 == 0 ? "8 " : "10 ";  // NaN goes right or left
            left += fmt::format("{} ", split.left);
            right += fmt::format("{} ", split.right);
        }
        for (std::size_t leaf = 0; leaf < sizes_.leaves; ++leaf) {
            leaves += fmt::format("{} ", static_cast<double>(random_() % 20001) / 10000 - 1);
        }
        return fmt::format(
            "Tree={}\nnum_leaves={}\nnum_cat=0\nsplit_feature={}\nsplit_gain={}\nthreshold={}\ndecision_type={}\n"
            "left_child={}\nright_child={}\nleaf_value={}\nis_linear=0\nshrinkage=1\n\n\n",
            number, sizes_.leaves, features, gains, thresholds, types, left, right, leaves);
    }

private:
    // A leaf n is -1-n, as in the file.
    struct Split {
        int left;
        int right;
    };

    // Any leaf may be the next one that is split, so that trees are as uneven as trained ones.
    void grow() {
        splits_.clear();
        std::vector<int *> places;
        splits_.reserve(sizes_.leaves);
        places.reserve(sizes_.leaves);
        int root = -1;
        places.push_back(&root);
        for (std::size_t leaf = 1; leaf < sizes_.leaves; ++leaf) {
            const std::size_t at = random_() % places.size();
            int *const place = places[at];
            splits_.push_back({*place, -1 - static_cast<int>(leaf)});
            *place = static_cast<int>(splits_.size() - 1);
            places[at] = &splits_.back().left;
            places.push_back(&splits_.back().right);
        }
    }

    const ForestSizes &sizes_;
    std::mt19937 &random_;
    std::vector<Split> splits_;
};

}  // namespace

Result<Forest> random_forest(const ForestSizes &sizes) {
    std::string names;
    for (std::size_t feature = 0; feature < sizes.features; ++feature) {
        names += fmt::format("{}f{}", feature == 0 ? "" : " ", feature);
    }
    std::string text = fmt::format(
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx={}\n"
        "objective=regression\nfeature_names={}\n\n",
        sizes.features - 1, names);
    std::mt19937 random(1);
    TreeText tree(sizes, random);
    for (std::size_t number = 0; number < sizes.trees; ++number) {
        text += tree.text(number);
    }
    return Forest::read(text + "end of trees\n");
}

}  // namespace tenrex::perf
