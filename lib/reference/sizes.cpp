// The types of values: those of their nodes, with the sizes that open dimensions have in this evaluation.
#include <algorithm>
#include <utility>
#include <vector>

#include "lib/reference/evaluator.h"
#include "lib/reference/operands.h"
#include "lib/sema/size_source.h"
#include "lib/support/format.h"
#include "lib/types/derived_type.h"

namespace tenrex::reference {

using sema::as;
using sema::Expr;
using sema::Op;

namespace {

// The dimension as a value has it; null if it has no such indexed dimension.
const Dimension *indexed_in(const Value &value, std::string_view name) {
    if (value.blocks() == nullptr) {
        return nullptr;
    }
    const TensorType &type = value.blocks()->type();
    const auto position = type.find(name);
    return position && type.dimensions()[*position].is_indexed() ? &type.dimensions()[*position] : nullptr;
}

// The operands that are evaluated: of a peek those that are computed.
const Expr *computed_operand(const sema::PeekExpr &expr, std::size_t number) {
    std::size_t next = 0;
    for (const sema::PeekPart &part : expr.parts) {
        if (part.expression != nullptr && ++next == number) {
            return part.expression;
        }
    }
    return expr.operand;
}

}  // namespace

const TensorType &Evaluator::intern(const TensorType &type) {
    return types_.try_emplace(type.to_string(), type).first->second;
}

const TensorType &Evaluator::type_of(const Expr &expr, const Value &operand) {
    if (!expr.type->has_open()) {
        return *expr.type;
    }
    std::vector<Dimension> dimensions = expr.type->dimensions();
    for (Dimension &dimension : dimensions) {
        const std::string_view name =
            expr.op == Op::rename ? sema::old_name(as<sema::RenameExpr>(expr), dimension.name) : dimension.name;
        if (const Dimension *given = dimension.is_open() ? indexed_in(operand, name) : nullptr) {
            dimension = Dimension::indexed(dimension.name, given->size);
        }
    }
    return intern(known_type(expr.type->cell_type(), std::move(dimensions)));
}

const TensorType &Evaluator::type_like(const TensorType &type, const TensorType &other) {
    if (!type.has_open()) {
        return type;
    }
    std::vector<Dimension> dimensions = type.dimensions();
    for (Dimension &dimension : dimensions) {
        if (const auto position = dimension.is_open() ? other.find(dimension.name) : std::nullopt) {
            dimension = other.dimensions()[*position];
        }
    }
    return intern(known_type(type.cell_type(), std::move(dimensions)));
}

Failure Evaluator::other_size(std::string_view dimension, std::uint64_t size, const Expr &expr,
                              std::uint64_t other_size, const Expr &other) const {
    return {fmt::format("dimension '{}' has size {} in {} and {} in {}", dimension, size,
                        sema::size_source(expression_, expr, dimension), other_size,
                        sema::size_source(expression_, other, dimension)),
            "values that are joined must have the same size there"};
}

const TensorType &Evaluator::type_of(const Expr &expr, const Value &a, const Value &b) {
    const Expr &first = *operand(expr, 0);
    const Expr &second = *operand(expr, 1);
    if (!expr.type->has_open() && !first.type->has_open() && !second.type->has_open()) {
        return *expr.type;
    }
    const std::string_view added = expr.op == Op::concat ? as<sema::ConcatExpr>(expr).dimension : std::string_view();
    std::vector<Dimension> dimensions = expr.type->dimensions();
    for (Dimension &dimension : dimensions) {
        const Dimension *const x = indexed_in(a, dimension.name);
        const Dimension *const y = indexed_in(b, dimension.name);
        if (dimension.is_mapped()) {
            continue;
        }
        if (dimension.name == added) {
            dimension.size = (x == nullptr ? 1 : x->size) + (y == nullptr ? 1 : y->size);
        } else if (x != nullptr && y != nullptr && x->size != y->size) {
            throw other_size(dimension.name, x->size, first, y->size, second);
        } else {
            dimension.size = x == nullptr ? y->size : x->size;
        }
        dimension.kind = Dimension::Kind::indexed;
    }
    return intern(known_type(expr.type->cell_type(), std::move(dimensions)));
}

const TensorType &Evaluator::type_of(const sema::PeekExpr &expr, std::span<const Value> operands) {
    std::vector<Dimension> dimensions = expr.type->dimensions();
    for (Dimension &dimension : dimensions) {
        if (dimension.is_mapped()) {
            continue;
        }
        const Expr *from = nullptr;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const bool goes = i == 0 && std::any_of(expr.parts.begin(), expr.parts.end(),
                                                    [&](const auto &part) { return part.dimension == dimension.name; });
            const Dimension *const given = goes ? nullptr : indexed_in(operands[i], dimension.name);
            if (given == nullptr) {
                continue;
            }
            const Expr *const source = computed_operand(expr, i);
            if (from != nullptr && given->size != dimension.size) {
                throw other_size(dimension.name, dimension.size, *from, given->size, *source);
            }
            from = from == nullptr ? source : from;
            dimension = Dimension::indexed(dimension.name, given->size);
        }
    }
    return intern(known_type(expr.type->cell_type(), std::move(dimensions)));
}

}  // namespace tenrex::reference
