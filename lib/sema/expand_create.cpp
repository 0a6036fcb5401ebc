// Surface functions that make tensors or grow them: expand, range, diag, random, unpack_bits.
#include <algorithm>

#include "lib/sema/checker.h"
#include "lib/sema/random.h"
#include "lib/support/format.h"

namespace tenrex::sema {

using syntax::TensorCallNode;

// expand(t,d) = tensor<int8>(d[1])(1)*t
Expr *Checker::expand_expand(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    const syntax::Name &name = node.names.front();
    const auto position = operand->type->find(name.text);
    if (position && !operand->type->dimensions()[*position].is_trivial()) {
        return fail(name.span,
                    fmt::format("'expand': {} already has a dimension '{}'", operand->type->to_string(), name.text),
                    "choose a name that is new");
    }
    const TensorType *type =
        type_of(TensorType::make(CellType::i8, {{std::string(name.text), 1}}, options_.limits), name.span);
    if (type == nullptr) {
        return nullptr;
    }
    Expr *one = builder_.generate(next_slot(), {0}, number(1, node.span), type, node.span);
    return call(ScalarFunction::multiply, one, operand, site(node));
}

// range(x[n],y[m]) = tensor(x[n],y[m])(x+y)
Expr *Checker::expand_range(const TensorCallNode &node) {
    const TensorType *type = type_of_spec(*node.type);
    if (type == nullptr) {
        return nullptr;
    }
    const std::uint32_t slot = next_slot();
    Expr *sum = nullptr;
    for (std::uint32_t i = 0; i < node.type->dimensions.size(); ++i) {
        Expr *index = builder_.parameter(slot + i, builder_.scalar_type(), node.span);
        sum = sum == nullptr ? index : call(ScalarFunction::add, sum, index, site(node));
    }
    return generate(*node.type, type, sum, node.span);
}

// diag(x[n],y[m],z[k]) = tensor(x[n],y[m],z[k])((x==y)*(y==z)); with fewer than two dimensions all cells are 1.
Expr *Checker::expand_diag(const TensorCallNode &node) {
    const TensorType *type = type_of_spec(*node.type);
    if (type == nullptr) {
        return nullptr;
    }
    const std::uint32_t slot = next_slot();
    Expr *all_equal = nullptr;
    Expr *previous = nullptr;
    for (std::uint32_t i = 0; i < node.type->dimensions.size(); ++i) {
        Expr *index = builder_.parameter(slot + i, builder_.scalar_type(), node.span);
        if (previous != nullptr) {
            Expr *same = call(ScalarFunction::equal, previous, index, site(node));
            all_equal = all_equal == nullptr ? same : call(ScalarFunction::multiply, all_equal, same, site(node));
        }
        previous = index;
    }
    if (all_equal == nullptr) {
        all_equal = number(1, node.span);
    }
    return type->is_scalar() ? all_equal : generate(*node.type, type, all_equal, node.span);
}

Expr *Checker::expand_random(const TensorCallNode &node) {
    const TensorType *type = type_of_spec(*node.type);
    if (type == nullptr) {
        return nullptr;
    }
    if (type->block_cells() > options_.limits.nodes) {
        return fail(node.type->span,
                    fmt::format("random numbers are made when the expression is checked, and {} cells are more than {}",
                                type->block_cells(), options_.limits.nodes),
                    "Limits::nodes can be raised");
    }
    return builder_.constant(random_tensor(*type, options_.seed, randoms_++), node.span);
}

// unpack_bits(t,ct) = map_subspaces(t, f(v)(tensor<ct>(y[m],x[8*n])(bit(v{y:(y),x:(x/8)},7-x%8)))), where x is the last
// indexed dimension; little: x%8
Expr *Checker::expand_unpack_bits(const TensorCallNode &node) {
    Expr *operand = check(*node.arguments[0]);
    if (operand == nullptr) {
        return nullptr;
    }
    const Span span = node.span;
    if (operand->type->cell_type() != CellType::i8 || !operand->type->has_indexed()) {
        const bool only_cells = operand->type->has_indexed();
        return fail(node.arguments[0]->span,
                    fmt::format("'unpack_bits' needs int8 cells and an indexed dimension, but this is {}",
                                operand->type->to_string()),
                    only_cells ? "use cell_cast(..., int8) if the cells are whole numbers from -128 to 127" : "");
    }
    const TensorType *block = builder_.intern(block_type(*operand->type));
    if (operand->type->has_open()) {
        return fail(node.arguments[0]->span,
                    fmt::format("'unpack_bits' needs sizes that are known, but this is {}", operand->type->to_string()),
                    "declare the rows with labels, as in tensor<int8>(t{},x[16])");
    }
    std::vector<Dimension> dimensions = block->dimensions();
    dimensions.back().size *= 8;
    const TensorType *unpacked =
        type_of(TensorType::make(node.cell_type, std::move(dimensions), options_.limits), node.name_span);
    if (unpacked == nullptr) {
        return nullptr;
    }
    // The lambda's scope: the block in slot 0, the indexes behind it.
    const TensorType *scalar = builder_.scalar_type();
    const Site place = site(node);
    const auto count = static_cast<std::uint32_t>(block->dimensions().size());
    std::vector<std::uint32_t> positions;
    std::vector<PeekPart> parts;
    Expr *last = nullptr;
    for (std::uint32_t i = 0; i < count; ++i) {
        positions.push_back(i);
        last = builder_.parameter(1 + i, scalar, span);
        Expr *index = i + 1 < count ? last : call(ScalarFunction::divide, last, number(8, span), place);
        PeekPart part{};
        part.dimension = block->dimensions()[i].name;
        part.expression = builder_.use(index);
        parts.push_back(part);
    }
    Expr *byte = builder_.peek(builder_.parameter(0, block, span), parts, scalar, span);
    Expr *bit_number = call(ScalarFunction::modulo, last, number(8, span), place);
    if (!node.ascending) {
        bit_number = call(ScalarFunction::subtract, number(7, span), bit_number, place);
    }
    Expr *bit = call(ScalarFunction::bit, byte, bit_number, place);
    Expr *body = builder_.generate(1, positions, bit, unpacked, span);
    const TensorType *type =
        accept(map_subspaces_type(*operand->type, *unpacked, options_.limits), place, {operand->type});
    return type == nullptr ? nullptr : builder_.map(Op::map_subspaces, operand, body, type, span);
}

}  // namespace tenrex::sema
