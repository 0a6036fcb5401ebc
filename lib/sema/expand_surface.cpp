// Surface functions of tensors as primitives. What an expansion uses twice is one node.
#include <algorithm>

#include "lib/sema/checker.h"
#include "lib/support/format.h"

namespace tenrex::sema {

using syntax::TensorCallNode;

Expr *Checker::expand(const TensorCallNode &node) {
    switch (node.function) {
        case TensorFunction::avg:
        case TensorFunction::count:
        case TensorFunction::max:
        case TensorFunction::median:
        case TensorFunction::min:
        case TensorFunction::prod:
        case TensorFunction::sum:
            return check_reduce(node);
        case TensorFunction::matmul:
        case TensorFunction::xw_plus_b:
            return expand_matmul(node);
        case TensorFunction::softmax:
            return expand_softmax(node);
        case TensorFunction::l1_normalize:
            return expand_l1_normalize(node);
        case TensorFunction::l2_normalize:
            return expand_l2_normalize(node);
        case TensorFunction::cosine_similarity:
        case TensorFunction::euclidean_distance:
            return expand_vector_pair(node);
        case TensorFunction::argmax:
        case TensorFunction::argmin:
            return expand_arg(node);
        case TensorFunction::expand:
            return expand_expand(node);
        case TensorFunction::top:
            return expand_top(node);
        case TensorFunction::unpack_bits:
            return expand_unpack_bits(node);
        case TensorFunction::range:
            return expand_range(node);
        case TensorFunction::diag:
            return expand_diag(node);
        case TensorFunction::random:
            return expand_random(node);
        default:
            return expand_tokens(node);
    }
}

// min(t,d) and max(t,d), where the parser can not tell a dimension from a number.
Expr *Checker::expand_min_max(const syntax::CallNode &node, Expr *left, std::string_view dimension) {
    const Aggregator aggregator = node.function == ScalarFunction::max ? Aggregator::max : Aggregator::min;
    const std::string_view kept = left->type->dimensions()[*left->type->find(dimension)].name;
    return reduce(left, aggregator, {kept}, node.span);
}

// matmul(a,b,d) = reduce(a*b,sum,d); xw_plus_b(x,w,b,d) = reduce(x*w,sum,d)+b
Expr *Checker::expand_matmul(const TensorCallNode &node) {
    Expr *a = check(*node.arguments[0]);
    Expr *b = check(*node.arguments[1]);
    Expr *bias = node.function == TensorFunction::xw_plus_b ? check(*node.arguments[2]) : nullptr;
    Expr *product = call(ScalarFunction::multiply, a, b, site(node));
    if (product == nullptr) {
        return nullptr;
    }
    const auto dimensions = dimensions_of(product, node.names, site(node).what);
    if (!dimensions) {
        return nullptr;
    }
    Expr *sum = reduce(product, Aggregator::sum, *dimensions, node.span);
    return node.function == TensorFunction::matmul ? sum : call(ScalarFunction::add, sum, bias, site(node));
}

// softmax(t,d) = exp(t)/reduce(exp(t),sum,d)
Expr *Checker::expand_softmax(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    const auto dimensions = dimensions_of(operand, node.names, site(node).what);
    if (!dimensions) {
        return nullptr;
    }
    Expr *powers = call(ScalarFunction::exp, operand, node.span);
    Expr *sum = reduce(powers, Aggregator::sum, *dimensions, node.span);
    return call(ScalarFunction::divide, powers, sum, site(node));
}

// l1_normalize(t,d) = t/reduce(t,sum,d)
Expr *Checker::expand_l1_normalize(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    const auto dimensions = dimensions_of(operand, node.names, site(node).what);
    if (!dimensions) {
        return nullptr;
    }
    return call(ScalarFunction::divide, operand, reduce(operand, Aggregator::sum, *dimensions, node.span), site(node));
}

// l2_normalize(t,d) = t/sqrt(reduce(square(t),sum,d))
Expr *Checker::expand_l2_normalize(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    const auto dimensions = dimensions_of(operand, node.names, site(node).what);
    if (!dimensions) {
        return nullptr;
    }
    Expr *squares = call(ScalarFunction::square, operand, node.span);
    Expr *length = call(ScalarFunction::sqrt, reduce(squares, Aggregator::sum, *dimensions, node.span), node.span);
    return call(ScalarFunction::divide, operand, length, site(node));
}

// cosine_similarity(a,b,d) = reduce(a*b,sum,d)/sqrt(reduce(a*a,sum,d)*reduce(b*b,sum,d))
// euclidean_distance(a,b,d) = sqrt(reduce(square(a-b),sum,d))
Expr *Checker::expand_vector_pair(const TensorCallNode &node) {
    Expr *a = check(*node.arguments[0]);
    Expr *b = check(*node.arguments[1]);
    if (a == nullptr || b == nullptr) {
        return nullptr;
    }
    const Site place = site(node);
    const syntax::Name &name = node.names.front();
    const auto in_a = dimensions_of(a, node.names, place.what);
    const auto in_b = in_a ? dimensions_of(b, node.names, place.what) : std::nullopt;
    if (!in_b) {
        return nullptr;
    }
    const Dimension &first = a->type->dimensions()[*a->type->find(name.text)];
    const Dimension &second = b->type->dimensions()[*b->type->find(name.text)];
    for (const Expr *side : {a, b}) {
        if (side->type->dimensions()[*side->type->find(name.text)].is_mapped()) {
            return fail(name.span,
                        fmt::format("'{}': dimension '{}' must be indexed, but it is mapped in {}", place.what,
                                    name.text, side->type->to_string()),
                        "labels that only one side has would not count; write the formula with sum and sqrt instead");
        }
    }
    if (!first.is_open() && !second.is_open() && first.size != second.size) {
        return fail(name.span,
                    fmt::format("'{}': dimension '{}' has size {} in the first and {} in the second", place.what,
                                name.text, first.size, second.size),
                    "the vectors must have the same length");
    }
    if (node.function == TensorFunction::euclidean_distance) {
        Expr *difference = call(ScalarFunction::subtract, a, b, place);
        if (difference == nullptr) {
            return nullptr;
        }
        Expr *squares = call(ScalarFunction::square, difference, node.span);
        return call(ScalarFunction::sqrt, reduce(squares, Aggregator::sum, *in_a, node.span), node.span);
    }
    Expr *product = call(ScalarFunction::multiply, a, b, place);
    Expr *a_square = call(ScalarFunction::multiply, a, a, place);
    Expr *b_square = call(ScalarFunction::multiply, b, b, place);
    Expr *lengths = call(ScalarFunction::multiply, reduce(a_square, Aggregator::sum, *in_a, node.span),
                         reduce(b_square, Aggregator::sum, *in_b, node.span), place);
    if (product == nullptr || lengths == nullptr) {
        return nullptr;
    }
    return call(ScalarFunction::divide, reduce(product, Aggregator::sum, *in_a, node.span),
                call(ScalarFunction::sqrt, lengths, node.span), place);
}

// argmax(t,d) = t==reduce(t,max,d)
Expr *Checker::expand_arg(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    const auto dimensions = dimensions_of(operand, node.names, site(node).what);
    if (!dimensions) {
        return nullptr;
    }
    const Aggregator aggregator = node.function == TensorFunction::argmax ? Aggregator::max : Aggregator::min;
    return call(ScalarFunction::equal, operand, reduce(operand, aggregator, *dimensions, node.span), site(node));
}

// top(n,t) = t*filter_subspaces(cell_order(t,max)<n, f(s)(s))
Expr *Checker::expand_top(const TensorCallNode &node) {
    Expr *count = check_scalar(*node.arguments[0], "the first argument of 'top'");
    Expr *operand = check(*node.arguments[1]);
    if (operand != nullptr && !operand->type->is_sparse()) {
        return fail(node.arguments[1]->span,
                    fmt::format("'top' needs a tensor with mapped dimensions only, not {}", operand->type->to_string()),
                    "the arguments are top(n, t)");
    }
    if (count == nullptr || operand == nullptr) {
        return nullptr;
    }
    const TensorType *type = map_type_of(operand->type);
    Expr *order = builder_.cell_order(operand, false, type, node.span);
    Expr *chosen = call(ScalarFunction::less, order, count, site(node));
    Expr *body = builder_.parameter(0, builder_.scalar_type(), node.span);
    return call(ScalarFunction::multiply, operand, builder_.map(Op::filter_subspaces, chosen, body, type, node.span),
                site(node));
}

}  // namespace tenrex::sema
