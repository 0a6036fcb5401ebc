// The types of values: those of their nodes, with the sizes that open dimensions have in this evaluation.
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
            throw Failure{fmt::format("dimension '{}' has size {} in {} and {} in {}", dimension.name, x->size,
                                      sema::size_source(expression_, first, dimension.name), y->size,
                                      sema::size_source(expression_, second, dimension.name)),
                          "values that are joined must have the same size there"};
        } else {
            dimension.size = x == nullptr ? y->size : x->size;
        }
        dimension.kind = Dimension::Kind::indexed;
    }
    return intern(known_type(expr.type->cell_type(), std::move(dimensions)));
}

}  // namespace tenrex::reference
