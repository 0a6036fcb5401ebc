// Calls of scalar and tensor functions.

#include "lib/support/format.h"
#include "lib/syntax/expression_parser.h"
#include "lib/syntax/value_habits.h"

namespace tenrex::syntax {

namespace {

// What a tensor function takes, if it is operands, then names, then a lambda.
struct Shape {
    std::uint8_t operands;
    bool more_operands;
    std::uint8_t names;
    bool more_names;
    std::uint8_t lambda_parameters;  // 0: no lambda
};

constexpr Shape shape(TensorFunction function) {
    switch (function) {
        case TensorFunction::map:
        case TensorFunction::map_subspaces:
        case TensorFunction::filter_subspaces:
            return {1, false, 0, false, 1};
        case TensorFunction::join:
        case TensorFunction::merge:
            return {2, false, 0, false, 2};
        case TensorFunction::concat:
        case TensorFunction::matmul:
        case TensorFunction::cosine_similarity:
        case TensorFunction::euclidean_distance:
            return {2, false, 1, false, 0};
        case TensorFunction::xw_plus_b:
            return {3, false, 1, false, 0};
        case TensorFunction::softmax:
        case TensorFunction::l1_normalize:
        case TensorFunction::l2_normalize:
        case TensorFunction::expand:
            return {1, false, 1, false, 0};
        case TensorFunction::avg:
        case TensorFunction::count:
        case TensorFunction::max:
        case TensorFunction::median:
        case TensorFunction::min:
        case TensorFunction::prod:
        case TensorFunction::sum:
        case TensorFunction::argmax:
        case TensorFunction::argmin:
        case TensorFunction::reduce:  // behind the aggregator
            return {1, false, 0, true, 0};
        case TensorFunction::top:
            return {2, false, 0, false, 0};
        case TensorFunction::token_input_ids:
        case TensorFunction::token_type_ids:
        case TensorFunction::token_attention_mask:
            return {2, true, 0, false, 0};
        case TensorFunction::custom_token_input_ids:
            return {4, true, 0, false, 0};
        case TensorFunction::rename:
        case TensorFunction::cell_cast:
        case TensorFunction::cell_order:
        case TensorFunction::unpack_bits:
            return {1, false, 0, false, 0};
        case TensorFunction::range:
        case TensorFunction::diag:
        case TensorFunction::random:
            return {0, false, 0, false, 0};
    }
    return {};
}

}  // namespace

const Node *ExpressionParser::scalar_call(const Site &site, ScalarFunction function) {
    const Node *a = argument(site);
    if (a == nullptr) {
        return nullptr;
    }
    const Node *b = nullptr;
    if (info(function).arity == 2 && (!comma(site) || (b = argument(site)) == nullptr)) {
        return nullptr;
    }
    if (!close(site)) {
        return nullptr;
    }
    const Span span = since(site.name_span.begin);
    return make<CallNode>(Kind::call, span, function, site.name_span,
                          b != nullptr ? node_list({a, b}) : node_list({a}));
}

// min and max: of two values, or of the cells of a tensor. With two arguments the second may turn out to be a dimension
// when types are known.
const Node *ExpressionParser::extremum(const Site &site, const Keyword &keyword) {
    const std::size_t list = scratch_.mark();
    bool another = true;
    while (another) {
        const Node *value = argument(site);
        if (value == nullptr) {
            return nullptr;
        }
        scratch_.push(value);
        if (!more(site, another)) {
            return nullptr;
        }
    }
    const std::span<const Node *const> arguments = scratch_.take<const Node *>(list, arena_);
    const Span span = since(site.name_span.begin);
    if (arguments.size() == 2) {
        return make<CallNode>(Kind::call, span, keyword.scalar, site.name_span, arguments);
    }
    for (const Node *value : arguments.subspan(1)) {
        const bool is_dimension = value->kind == Kind::symbol && is_name(as<SymbolNode>(*value).text);
        if (!is_dimension) {
            return scan_.fail(value->span, fmt::format("too many values for {}", site.name),
                              std::string(hint_of_values(site.name, false)));
        }
        scratch_.push(Name{as<SymbolNode>(*value).text, value->span});
    }
    TensorCallNode node{};
    static_cast<Node &>(node) = {Kind::tensor_call, span};
    node.function = keyword.tensor;
    node.name_span = site.name_span;
    node.arguments = arguments.first(1);
    node.names = scratch_.take<Name>(list, arena_);
    node.aggregator = *aggregator_from_name(site.name);
    ++nodes_;
    return arena_.make<TensorCallNode>(node);
}

const Node *ExpressionParser::tensor_call(const Site &site, TensorFunction function) {
    // Made first, so that its many fields are not on the stack while arguments are parsed.
    auto *node = arena_.make<TensorCallNode>();
    ++nodes_;
    node->kind = Kind::tensor_call;
    node->function = function;
    node->name_span = site.name_span;
    node->cell_type = function == TensorFunction::unpack_bits ? CellType::f32 : CellType::f64;
    if (!tensor_arguments(site, *node)) {
        return nullptr;
    }
    node->span = since(site.name_span.begin);
    return node;
}

// Everything up to and with the closing parenthesis.
bool ExpressionParser::tensor_arguments(const Site &site, TensorCallNode &node) {
    const TensorFunction function = node.function;
    if (function == TensorFunction::range || function == TensorFunction::diag || function == TensorFunction::random) {
        scan_.move_to(site.open);
        node.type = type_spec(site.name_span.begin);
        if (node.type == nullptr) {
            return false;
        }
        if (function == TensorFunction::range && node.type->dimensions.empty()) {
            return scan_.fail(node.type->span, "range needs at least one dimension", site.usage());
        }
        for (const DimensionSpec &entry : node.type->dimensions) {
            if (entry.size == 0) {
                return scan_.fail(
                    entry.name.span,
                    fmt::format("{} needs indexed dimensions, '{}' is mapped", site.name, entry.name.text),
                    site.usage());
            }
        }
        return true;
    }
    const Shape form = shape(function);
    std::size_t list = scratch_.mark();
    bool another = true;
    for (std::size_t i = 0; another && (i < form.operands || form.more_operands); ++i) {
        const Node *value = argument(site);
        if (value == nullptr) {
            return false;
        }
        scratch_.push(value);
        if (i + 1 < form.operands) {
            if (!comma(site)) {
                return false;
            }
        } else if (form.more_operands && !more(site, another)) {
            return false;
        }
    }
    node.arguments = scratch_.take<const Node *>(list, arena_);
    if (form.more_operands) {
        return true;
    }
    list = scratch_.mark();
    if (form.lambda_parameters != 0) {
        return comma(site) && (node.lambda = lambda(site, form.lambda_parameters)) != nullptr && close(site);
    }
    switch (function) {
        case TensorFunction::reduce:
            if (!comma(site) || !aggregator(site, node.aggregator)) {
                return false;
            }
            break;
        case TensorFunction::rename:
            return rename_arguments(site, node) && close(site);
        case TensorFunction::cell_cast:
            return comma(site) && cell_type_argument(site, node.cell_type) && close(site);
        case TensorFunction::cell_order:
            return comma(site) && choice(site, "max", "min", node.ascending) && close(site);
        case TensorFunction::unpack_bits:
            if (scan_.take(',') && (!cell_type_argument(site, node.cell_type) ||
                                    (scan_.take(',') && !choice(site, "big", "little", node.ascending)))) {
                return false;
            }
            return close(site);
        default:
            if (const auto named = aggregator_from_name(site.name)) {
                node.aggregator = *named;
            }
            break;
    }
    for (std::size_t i = 0; i < form.names || form.more_names; ++i) {
        if (form.more_names) {
            if (!more(site, another)) {
                return false;
            }
            if (!another) {
                node.names = scratch_.take<Name>(list, arena_);
                return true;
            }
        } else if (!comma(site)) {
            return false;
        }
        Name name;
        if (!dimension(site, name)) {
            return false;
        }
        scratch_.push(name);
    }
    node.names = scratch_.take<Name>(list, arena_);
    return close(site);
}

bool ExpressionParser::rename_arguments(const Site &site, TensorCallNode &node) {
    if (!comma(site) || !dimension_list(site, node.names) || !comma(site) || !dimension_list(site, node.new_names)) {
        return false;
    }
    if (node.names.size() != node.new_names.size()) {
        return scan_.fail(node.new_names.front().span,
                          fmt::format("rename needs a new name for each dimension, but there are {} for {}",
                                      node.new_names.size(), node.names.size()),
                          site.usage());
    }
    return true;
}

}  // namespace tenrex::syntax
