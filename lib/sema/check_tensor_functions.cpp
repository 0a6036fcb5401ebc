// The primitive tensor functions.
#include <algorithm>

#include "lib/sema/checker.h"
#include "lib/support/format.h"
#include "lib/syntax/value_habits.h"

namespace tenrex::sema {

using syntax::TensorCallNode;

Checker::Site Checker::site(const TensorCallNode &node) {
    return {info(node.function).name, node.span, node.name_span};
}

Expr *Checker::check_tensor_call(const TensorCallNode &node) {
    switch (node.function) {
        case TensorFunction::map:
            return check_map(node);
        case TensorFunction::join:
            return check_join(node);
        case TensorFunction::merge:
            return check_merge(node);
        case TensorFunction::reduce:
            return check_reduce(node);
        case TensorFunction::rename:
            return check_rename(node);
        case TensorFunction::concat:
            return check_concat(node);
        case TensorFunction::cell_cast:
            return check_cell_cast(node);
        case TensorFunction::cell_order:
            return check_cell_order(node);
        case TensorFunction::map_subspaces:
            return check_map_subspaces(node);
        case TensorFunction::filter_subspaces:
            return check_filter_subspaces(node);
        default:
            return expand(node);
    }
}

std::optional<Checker::Names> Checker::dimensions_of(const Expr *operand, std::span<const syntax::Name> names,
                                                     std::string_view what) {
    const TensorType &type = *operand->type;
    Names result;
    result.reserve(type.dimensions().size());
    if (names.empty()) {
        for (const Dimension &dimension : type.dimensions()) {
            result.push_back(dimension.name);
        }
        return result;
    }
    bool good = true;
    for (const syntax::Name &name : names) {
        const std::string_view one[] = {name.text};
        const TypeOrProblem reduced = reduce_type(type, one);
        if (const auto *problem = std::get_if<TypeProblem>(&reduced)) {
            const std::string_view meant =
                is_visible(name.text) ? syntax::hint_of_values(what, type.is_scalar()) : std::string_view();
            fail(name.span, fmt::format("'{}': {}", what, problem->message),
                 meant.empty() ? problem->hint : std::string(meant));
            good = false;
            continue;
        }
        const std::string_view kept = type.dimensions()[*type.find(name.text)].name;
        if (std::find(result.begin(), result.end(), kept) != result.end()) {
            fail(name.span, fmt::format("'{}': dimension '{}' is named twice", what, name.text));
            good = false;
            continue;
        }
        result.push_back(kept);
    }
    std::sort(result.begin(), result.end());
    return good ? std::optional<Names>(std::move(result)) : std::nullopt;
}

Expr *Checker::check_map(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    Expr *body = check_lambda(*node.lambda, ScopeKind::scalar_lambda, "map", builder_.scalar_type());
    if (operand == nullptr || body == nullptr) {
        return nullptr;
    }
    return builder_.map(Op::map, operand, body, map_type_of(operand->type), node.span);
}

Expr *Checker::check_join(const TensorCallNode &node) {
    Expr *a = check(*node.arguments[0]);
    Expr *b = check(*node.arguments[1]);
    Expr *body = check_lambda(*node.lambda, ScopeKind::scalar_lambda, "join", builder_.scalar_type());
    if (a == nullptr || b == nullptr) {
        return nullptr;
    }
    const TensorType *type = join_type_of(a, b, site(node));
    return type == nullptr || body == nullptr ? nullptr : builder_.join(Op::join, a, b, body, type, node.span);
}

Expr *Checker::check_merge(const TensorCallNode &node) {
    Expr *a = check(*node.arguments[0]);
    Expr *b = check(*node.arguments[1]);
    Expr *body = check_lambda(*node.lambda, ScopeKind::scalar_lambda, "merge", builder_.scalar_type());
    if (a == nullptr || b == nullptr) {
        return nullptr;
    }
    const TensorType *type =
        accept(merge_type(*a->type, *b->type, java_, options_.limits), site(node), {a->type, b->type});
    if (type == nullptr || body == nullptr) {
        return nullptr;
    }
    if (!java_ || a->type == b->type) {
        return builder_.join(Op::merge, a, b, body, type, node.span);
    }
    const TensorType &first = *a->type;
    a = mapped_as(a, *b->type);
    b = mapped_as(b, first);
    const Dimension *x = a->type->is_scalar() ? nullptr : &a->type->dimensions().front();
    const Dimension *y = b->type->is_scalar() ? nullptr : &b->type->dimensions().front();
    if (x == nullptr || x->is_open() || y->is_open() || x->size == y->size || a->type->dimensions().size() != 1) {
        return builder_.join(Op::merge, a, b, body, type, node.span);
    }
    // Vectors of unequal length: the common part is merged, the rest of the longer one follows.
    const bool first_longer = x->size > y->size;
    const std::string_view dimension = type->dimensions().front().name;
    const std::uint64_t common = std::min(x->size, y->size);
    const std::uint64_t all = std::max(x->size, y->size);
    Expr *rest = cut(first_longer ? a : b, dimension, common, all, node.span);
    (first_longer ? a : b) = cut(first_longer ? a : b, dimension, 0, common, node.span);
    const TensorType *merged = builder_.intern(cut_type(*type, dimension, 0, common));
    return builder_.concat(builder_.join(Op::merge, a, b, body, merged, node.span),
                           cell_cast(rest, type->cell_type(), node.span), dimension, type, node.span);
}

Expr *Checker::check_reduce(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    const auto dimensions = dimensions_of(operand, node.names, info(node.function).name);
    if (!dimensions) {
        return nullptr;
    }
    warn_of_outer_sum(*operand, node.aggregator, *dimensions);
    warn_of_assumed_number(*operand, node.aggregator);
    return reduce(operand, node.aggregator, *dimensions, node.span);
}

Expr *Checker::check_rename(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    Names from;
    Names to;
    for (const syntax::Name &name : node.names) {
        from.push_back(builder_.copy(name.text));
    }
    for (const syntax::Name &name : node.new_names) {
        to.push_back(builder_.copy(name.text));
    }
    Site place = site(node);
    if (!node.names.empty() && !node.new_names.empty()) {
        place.blame = {node.names.front().span.begin, node.new_names.back().span.end};
    }
    const TensorType *type = accept(rename_type(*operand->type, from, to), place, {});
    return type == nullptr ? nullptr : builder_.rename(operand, from, to, type, node.span);
}

Expr *Checker::check_concat(const TensorCallNode &node) {
    Expr *a = check(*node.arguments[0]);
    Expr *b = check(*node.arguments[1]);
    if (a == nullptr || b == nullptr) {
        return nullptr;
    }
    const std::string_view dimension = builder_.copy(node.names.front().text);
    Site place = site(node);
    const TensorType *type =
        accept(concat_type(*a->type, *b->type, dimension, java_, options_.limits), place, {a->type, b->type});
    if (type == nullptr) {
        return nullptr;
    }
    for (const Dimension &dim : type->dimensions()) {
        for (Expr **side : {&a, &b}) {
            const auto position = (*side)->type->find(dim.name);
            if (dim.name != dimension && position && (*side)->type->dimensions()[*position].size > dim.size) {
                *side = cut(*side, dim.name, 0, dim.size, node.span);
            }
        }
    }
    return builder_.concat(a, b, dimension, type, node.span);
}

Expr *Checker::check_cell_cast(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    const TensorType *type = accept(cell_cast_type(*operand->type, node.cell_type), site(node), {operand->type});
    return type == nullptr ? nullptr : builder_.cell_cast(operand, type, node.span);
}

Expr *Checker::check_cell_order(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    return operand == nullptr ? nullptr
                              : builder_.cell_order(operand, node.ascending, map_type_of(operand->type), node.span);
}

Expr *Checker::check_map_subspaces(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    const TensorType *block = operand == nullptr ? nullptr : builder_.intern(block_type(*operand->type));
    Expr *body = check_lambda(*node.lambda, ScopeKind::block_lambda, "map_subspaces", block);
    if (operand == nullptr || body == nullptr) {
        return nullptr;
    }
    Site place = site(node);
    place.blame = node.lambda->body->span;
    const TensorType *type = accept(map_subspaces_type(*operand->type, *body->type, options_.limits), place, {});
    return type == nullptr ? nullptr : builder_.map(Op::map_subspaces, operand, body, type, node.span);
}

Expr *Checker::check_filter_subspaces(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    const TensorType *block = operand == nullptr ? nullptr : builder_.intern(block_type(*operand->type));
    Expr *body = check_lambda(*node.lambda, ScopeKind::block_lambda, "filter_subspaces", block);
    if (operand == nullptr) {
        return nullptr;
    }
    Site place = site(node);
    place.blame = node.arguments[0]->span;
    const TensorType *type = accept(filter_subspaces_type(*operand->type), place, {});
    if (type == nullptr || body == nullptr) {
        return nullptr;
    }
    return builder_.map(Op::filter_subspaces, operand, sum_of_tensor(body, body->span), type, node.span);
}

}  // namespace tenrex::sema
