#include "lib/forest/xgboost_nodes.h"

#include <algorithm>
#include <utility>

#include "lib/forest/broken.h"
#include "lib/forest/check_forest.h"
#include "lib/support/format.h"

namespace tenrex::forest {

namespace {

using Id = Document::Id;

class NodeReader {
public:
    NodeReader(const Document &document, Id tree, ModelBuilder &builder)
        : document_(document), tree_(tree), builder_(builder) {}

    XgboostNodes run() {
        nodes_.left = get(document_.integers(member("left_children")));
        nodes_.right = integers("right_children");
        nodes_.features = integers("split_indices");
        nodes_.conditions = numbers("split_conditions");
        nodes_.default_left = integers("default_left");
        nodes_.types.assign(nodes_.left.size(), 0);
        if (document_.find(tree_, "split_type") != Document::none) {
            nodes_.types = integers("split_type");
        }
        nodes_.gains = numbers("loss_changes");
        nodes_.weights = numbers("sum_hessian");
        leaf_weights();
        sets();
        return std::move(nodes_);
    }

private:
    [[noreturn]] void fail(Id where, std::string message) const {
        throw Broken{document_.error(where, std::move(message), "the file is damaged")};
    }
    Id member(std::string_view key) const { return get(document_.member(tree_, key)); }

    template <class T>
    std::vector<T> checked(std::string_view key, std::vector<T> values, std::size_t count) const {
        if (values.size() != count) {
            fail(member(key), fmt::format("\"{}\" has {} numbers, but {} are needed", key, values.size(), count));
        }
        return values;
    }
    std::vector<std::int32_t> integers(std::string_view key) const {
        return checked(key, get(document_.integers(member(key))), nodes_.left.size());
    }
    std::vector<double> numbers(std::string_view key) const {
        return checked(key, get(document_.numbers(member(key))), nodes_.left.size());
    }

    void leaf_weights() {
        const Id size_at = document_.find(get(document_.member(tree_, "tree_param")), "size_leaf_vector");
        const std::int64_t size =
            size_at == Document::none ? 0 : get(document_.integer(size_at, 0, std::int64_t{most_outputs}));
        Forest &forest = builder_.model.forest;
        const bool has_vectors = size > 1;
        if (has_vectors && size != forest.outputs) {
            fail(tree_, fmt::format("leaves have {} values for {} outputs", size, forest.outputs));
        }
        if (has_vectors != forest.vector_leaves && !forest.trees.empty()) {
            fail(tree_, "some trees have leaves of several values, others do not");
        }
        forest.vector_leaves = has_vectors;
        if (has_vectors) {
            nodes_.leaves_are_numbered = document_.find(tree_, "leaf_weights") != Document::none;
            nodes_.leaf_weights =
                get(document_.numbers(member(nodes_.leaves_are_numbered ? "leaf_weights" : "base_weights")));
        }
    }

    void sets() {
        if (document_.find(tree_, "categories_nodes") == Document::none) {
            return;
        }
        const auto owners = get(document_.integers(member("categories_nodes")));
        const auto begins =
            checked("categories_segments", get(document_.integers(member("categories_segments"))), owners.size());
        const auto sizes =
            checked("categories_sizes", get(document_.integers(member("categories_sizes"))), owners.size());
        const Id at = member("categories");
        const auto categories = get(document_.integers(at));
        nodes_.sets.assign(owners.empty() ? 0 : nodes_.left.size(), UINT32_MAX);
        std::size_t total = 0;  // each category stands for one node: a small file makes no large sets
        for (std::size_t i = 0; i < owners.size(); ++i) {
            const auto node = static_cast<std::uint32_t>(owners[i]);
            const auto begin = static_cast<std::uint32_t>(begins[i]);
            const auto size = static_cast<std::uint32_t>(sizes[i]);
            total += size;
            if (node >= nodes_.sets.size() || begin > categories.size() || size > categories.size() - begin ||
                total > categories.size()) {
                fail(at, fmt::format("the categories of node {} are not in the list", owners[i]));
            }
            NumberSet set{{categories.begin() + begin, categories.begin() + begin + size}, true, true};
            std::sort(set.members.begin(), set.members.end());
            set.members.erase(std::unique(set.members.begin(), set.members.end()), set.members.end());
            nodes_.sets[node] = builder_.add_set(std::move(set));
        }
    }

    const Document &document_;
    Id tree_;
    ModelBuilder &builder_;
    XgboostNodes nodes_;
};

}  // namespace

XgboostNodes read_xgboost_nodes(const Document &document, Document::Id tree, ModelBuilder &builder) {
    return NodeReader(document, tree, builder).run();
}

}  // namespace tenrex::forest
