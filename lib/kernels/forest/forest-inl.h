// What the kernels of decision forests for all targets have in common.
#pragma once

#include "lib/kernels/cells-inl.h"
#include "lib/kernels/forest/forest.h"

#define TENREX_KERNEL(type, target, function, per_split, per_level) \
    namespace tenrex::kernels::target {                             \
    ForestBlockFunction function;                                   \
    ForestRankFunction rank_block;                                  \
    ForestRankFunction rank_one;                                    \
    ForestWalkFunction walk_##type;                                 \
    ForestWalkFunction walk_leaves;                                 \
    }
#include "lib/kernels/forest/kernels.def"
#undef TENREX_KERNEL

namespace tenrex::kernels {
namespace {

// Trees that are walked through at a time: each waits for memory most of the time.
inline constexpr std::size_t walked_trees = 8;

// Where each of some trees leads: calls visit(tree, leaf) for one after the other.
template <class Node, class Visit>
inline void walk_trees(const ForestWalk &walk, const Visit &visit) {
    const Node *const nodes = static_cast<const Node *>(walk.nodes);
    const std::uint8_t *const bytes = walk.bytes;
    const auto step = [=](std::uint32_t &at) {
        const Node node = nodes[at];
        at += node.distance + (bytes[node.column] > node.key ? 1U : 0U);
    };
    std::size_t tree = 0;
    for (; tree + walked_trees <= walk.tree_count; tree += walked_trees) {
        const ForestTree *const trees = walk.trees + tree;
        std::uint32_t at[walked_trees];
        std::uint32_t depth = 0;
        for (std::size_t i = 0; i < walked_trees; ++i) {
            at[i] = trees[i].first_node;
            depth = trees[i].depth > depth ? trees[i].depth : depth;
        }
        for (; depth > 0; --depth) {
            for (std::size_t i = 0; i < walked_trees; ++i) {
                step(at[i]);
            }
        }
        for (std::size_t i = 0; i < walked_trees; ++i) {
            visit(trees[i], tree + i, std::size_t{nodes[at[i]].key});
        }
    }
    for (; tree < walk.tree_count; ++tree) {
        std::uint32_t at = walk.trees[tree].first_node;
        for (std::uint32_t depth = walk.trees[tree].depth; depth > 0; --depth) {
            step(at);
        }
        visit(walk.trees[tree], tree, std::size_t{nodes[at].key});
    }
}

template <class Visit>
inline void walk_nodes(const ForestWalk &walk, const Visit &visit) {
    if (walk.has_large_nodes) {
        walk_trees<LargeForestNode>(walk, visit);
    } else {
        walk_trees<ForestNode>(walk, visit);
    }
}

template <class T>
inline void walk_and_sum(const ForestWalk &walk) {
    const T *const values = static_cast<const T *>(walk.values);
    T *const sums = static_cast<T *>(walk.sums);
    walk_nodes(walk, [=](const ForestTree &tree, std::size_t, std::size_t leaf) {
        sums[tree.output] += values[tree.first_value + leaf];
    });
}

inline void walk_to_leaves(const ForestWalk &walk) {
    const std::uint32_t *const leaves = static_cast<const std::uint32_t *>(walk.values);
    std::uint32_t *const out = static_cast<std::uint32_t *>(walk.sums);
    walk_nodes(walk, [=](const ForestTree &tree, std::size_t number, std::size_t leaf) {
        out[number] = leaves[tree.first_value + leaf];
    });
}

}  // namespace
}  // namespace tenrex::kernels
