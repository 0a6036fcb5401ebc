// Makes nodes whose types the rules give; here the Java dialect's conversions become nodes.
#include <algorithm>

#include "lib/sema/checker.h"
#include "lib/support/format.h"

namespace tenrex::sema {

const TensorType *Checker::accept(const TypeOrProblem &type, const Site &site,
                                  std::initializer_list<const TensorType *> operands) {
    if (const auto *problem = std::get_if<TypeProblem>(&type)) {
        return fail(site, *problem, operands);
    }
    return builder_.intern(std::get<TensorType>(type));
}

const TensorType *Checker::map_type_of(const TensorType *type) {
    return type->cell_type() == decay(type->cell_type()) ? type
                                                         : builder_.intern(std::get<TensorType>(map_type(*type)));
}

Expr *Checker::mapped_as(Expr *operand, const TensorType &other) {
    Names changed;
    for (const Dimension &dimension : operand->type->dimensions()) {
        const auto position = other.find(dimension.name);
        if (dimension.is_indexed() && position && other.dimensions()[*position].is_mapped()) {
            changed.push_back(dimension.name);
        }
    }
    if (changed.empty()) {
        return operand;
    }
    const TensorType *type = builder_.intern(to_mapped_type(*operand->type, changed));
    return builder_.to_mapped(operand, changed, type, operand->span);
}

Expr *Checker::cut(Expr *operand, std::string_view dimension, std::uint64_t begin, std::uint64_t end, Span span) {
    const TensorType *type = builder_.intern(cut_type(*operand->type, dimension, begin, end));
    return builder_.cut(operand, dimension, begin, end, type, span);
}

const TensorType *Checker::join_type_of(Expr *&a, Expr *&b, const Site &site) {
    const TensorType *first = a->type;
    const TensorType *second = b->type;
    if (second->is_scalar() || first == second) {
        return map_type_of(first);
    }
    if (first->is_scalar()) {
        return map_type_of(second);
    }
    const TensorType *&known = joins_[first][second];
    if (known == nullptr) {
        known = accept(join_type(*first, *second, java_, options_.limits), site, {first, second});
    }
    if (java_ && known != nullptr) {
        a = mapped_as(a, *second);
        b = mapped_as(b, *first);
    }
    return known;
}

Expr *Checker::call(ScalarFunction function, Expr *a, Span span) {
    return a == nullptr ? nullptr : builder_.call(function, a, nullptr, map_type_of(a->type), span);
}

Expr *Checker::call(ScalarFunction function, Expr *a, Expr *b, const Site &site) {
    if (a == nullptr || b == nullptr) {
        return nullptr;
    }
    const TensorType *type = join_type_of(a, b, site);
    return type == nullptr ? nullptr : builder_.call(function, a, b, type, site.span);
}

Expr *Checker::reduce(Expr *operand, Aggregator aggregator, const Names &dimensions, Span span) {
    if (operand == nullptr) {
        return nullptr;
    }
    const TensorType *type = builder_.intern(std::get<TensorType>(reduce_type(*operand->type, dimensions)));
    return builder_.reduce(operand, aggregator, dimensions, type, span);
}

Expr *Checker::sum_of_tensor(Expr *value, Span span) {
    if (value == nullptr || value->type->is_scalar()) {
        return value;
    }
    return reduce(value, Aggregator::sum, *dimensions_of(value, {}, {}), span);
}

Expr *Checker::cell_cast(Expr *operand, CellType cell_type, Span span) {
    if (operand == nullptr || operand->type->cell_type() == cell_type) {
        return operand;
    }
    const TensorType *type = builder_.intern(std::get<TensorType>(cell_cast_type(*operand->type, cell_type)));
    return builder_.cell_cast(operand, type, span);
}

Expr *Checker::conditional(Expr *condition, Expr *when_true, Expr *when_false, double probability, const Site &site) {
    if (when_true == nullptr || when_false == nullptr) {
        return nullptr;
    }
    if (when_true->type != when_false->type) {
        const TypeOrProblem type = conditional_type(*when_true->type, *when_false->type, java_);
        if (const auto *problem = std::get_if<TypeProblem>(&type)) {
            return fail(site.blame,
                        fmt::format("{} have the types {} and {}: {}", site.what, when_true->type->to_string(),
                                    when_false->type->to_string(), problem->message),
                        problem->hint);
        }
        const TensorType &common = std::get<TensorType>(type);
        when_true = cell_cast(mapped_as(when_true, common), common.cell_type(), site.span);
        when_false = cell_cast(mapped_as(when_false, common), common.cell_type(), site.span);
    }
    if (condition == nullptr) {
        return nullptr;
    }
    condition = sum_of_tensor(condition, condition->span);
    return builder_.conditional(condition, when_true, when_false, probability, site.span);
}

}  // namespace tenrex::sema
