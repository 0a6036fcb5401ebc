"""Sums of decision trees: reads `if(f1<0.5,if(f0<-0.1,1,2),3)+...` and writes what LightGBM reads."""

import re

TOKEN = re.compile(r"\s*(if\(|-?\d+(?:\.\d+)?(?:e-?\d+)?|[A-Za-z_]\w*|[<,)+])")


def parse_sum(text):
    """The trees of a sum. A tree is a number or (feature, threshold, tree below it, other tree)."""
    tokens = TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s", "", text):
        raise ValueError("this is not a sum of trees")
    position = 0

    def take(expected=None):
        nonlocal position
        token = tokens[position] if position < len(tokens) else ""
        if expected is not None and token != expected:
            raise ValueError(f"expected '{expected}', found '{token}'")
        position += 1
        return token

    def tree():
        token = take()
        if token != "if(":
            return float(token)
        feature = take()
        take("<")
        threshold = float(take())
        take(",")
        below = tree()
        take(",")
        other = tree()
        take(")")
        return feature, threshold, below, other

    trees = [tree()]
    while position < len(tokens):
        take("+")
        trees.append(tree())
    return trees


def evaluate(tree, features):
    """The value of a tree for {feature: number}."""
    while not isinstance(tree, float):
        feature, threshold, below, other = tree
        tree = below if features[feature] < threshold else other
    return tree


def tree_text(number, tree, names):
    """One tree. Inner nodes have numbers from 0, leaves are -1, -2, ...; LightGBM goes left where a value is not greater."""
    features, thresholds, left, right, leaves = [], [], [], [], []

    def place(node):
        if isinstance(node, float):
            leaves.append(node)
            return -len(leaves)
        index = len(features)
        features.append(names.index(node[0]))
        thresholds.append(node[1])
        left.append(0)
        right.append(0)
        left[index], right[index] = place(node[2]), place(node[3])
        return index

    place(tree)
    inner = len(features)

    def join(values):
        return " ".join(str(value) for value in values)

    return (f"Tree={number}\nnum_leaves={len(leaves)}\nnum_cat=0\nsplit_feature={join(features)}\n"
            f"split_gain={join([1] * inner)}\nthreshold={join(thresholds)}\ndecision_type={join([2] * inner)}\n"
            f"left_child={join(left)}\nright_child={join(right)}\nleaf_value={join(leaves)}\n"
            f"leaf_weight={join([1] * len(leaves))}\nleaf_count={join([1] * len(leaves))}\n"
            f"internal_value={join([0] * inner)}\ninternal_weight={join([1] * inner)}\n"
            f"internal_count={join([1] * inner)}\nis_linear=0\nshrinkage=1\n\n\n")


def model_text(trees, names):
    """The trees as a model file of LightGBM. names: of the features, in the order of the columns."""
    parts = [tree_text(number, tree, names) for number, tree in enumerate(trees)]
    return (f"tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx={len(names) - 1}\n"
            f"objective=regression\nfeature_names={' '.join(names)}\nfeature_infos={' '.join(['[-1:1]'] * len(names))}\n"
            f"tree_sizes={' '.join(str(len(part)) for part in parts)}\n\n{''.join(parts)}end of trees\n\n"
            "feature_importances:\n\nparameters:\nend of parameters\n\npandas_categorical:null\n")
