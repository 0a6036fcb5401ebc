// What each kind of node does with the values of its operands.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "lib/reference/evaluator.h"
#include "lib/reference/operands.h"
#include "lib/sema/type_rules.h"
#include "lib/support/format.h"
#include "lib/support/scalar_functions.h"

namespace tenrex::reference {

using sema::as;
using sema::Expr;
using sema::Op;

// Evaluating a lambda or generator moves the stack of values, so operands are copied from it, never referred to.
Value Evaluator::apply(const Expr &expr, std::size_t first_value) {
    const auto operand_value = [&](std::size_t number) -> Value { return values_[first_value + number]; };
    switch (expr.op) {
        case Op::user_call:
            if (operand_count(expr) > 2) {
                return user_call(as<sema::UserCallExpr>(expr), first_value);
            }
            [[fallthrough]];
        case Op::call:
        case Op::join:
            if (operand_count(expr) == 2) {
                return join(workspace_, type_of(expr, operand_value(0), operand_value(1)), operand_value(0),
                            operand_value(1), binary_function(expr));
            }
            [[fallthrough]];
        case Op::in_set:
        case Op::map:
        case Op::cell_cast:
            return map(workspace_, type_of(expr, operand_value(0)), operand_value(0), unary_function(expr));
        case Op::merge:
            return merge(workspace_, type_of(expr, operand_value(0), operand_value(1)), operand_value(0),
                         operand_value(1), binary_function(expr));
        case Op::conditional:
            // Of the chosen branch, and of the other one if the choice is not certain.
            return values_.size() - first_value == 1 ? operand_value(0)
                                                     : either(workspace_, operand_value(0), operand_value(1));
        case Op::map_subspaces:
        case Op::filter_subspaces:
            return of_subspaces(expr, first_value);
        case Op::reduce:
            return aggregate(as<sema::ReduceExpr>(expr), first_value);
        case Op::rename:
            return rename(workspace_, type_of(expr, operand_value(0)), operand_value(0),
                          as<sema::RenameExpr>(expr).from, as<sema::RenameExpr>(expr).to);
        case Op::concat:
            return concat(workspace_, type_of(expr, operand_value(0), operand_value(1)), operand_value(0),
                          operand_value(1), as<sema::ConcatExpr>(expr).dimension);
        case Op::cell_order:
            return cell_order(workspace_, type_of(expr, operand_value(0)), operand_value(0),
                              as<sema::CellOrderExpr>(expr).ascending);
        case Op::generate:
            return generate(as<sema::GenerateExpr>(expr));
        case Op::literal:
            return literal(workspace_, *expr.type, as<sema::LiteralExpr>(expr).cells,
                           std::span(values_).subspan(first_value));
        case Op::peek:
            return peek_at(as<sema::PeekExpr>(expr), first_value);
        case Op::to_mapped:
            return to_mapped(workspace_, type_of(expr, operand_value(0)), operand_value(0),
                             as<sema::ToMappedExpr>(expr).dimensions);
        case Op::cut:
            return cut(workspace_, type_of(expr, operand_value(0)), operand_value(0), as<sema::CutExpr>(expr).dimension,
                       as<sema::CutExpr>(expr).begin);
        case Op::forest:
            return sums_of_forest(as<sema::ForestExpr>(expr), first_value);
        case Op::number:
        case Op::input:
        case Op::parameter:
        case Op::constant:
            break;  // begin() has their values
    }
    __builtin_unreachable();
}

namespace {

// Of a call that is a function of its operands alone, as the call of a lambda of its parameters is.
Kind kind_of(const Expr &expr) {
    const Expr &code = expr.op == Op::map || expr.op == Op::join ? *body(expr) : expr;
    if (code.op == Op::cell_cast) {
        return Kind::conversion;
    }
    if (code.op != Op::call) {
        return Kind::other;
    }
    const auto &call = as<sema::CallExpr>(code);
    if (&code != &expr) {
        const auto is_parameter = [](const Expr *part) { return part == nullptr || part->op == Op::parameter; };
        if (!is_parameter(call.a) || !is_parameter(call.b)) {
            return Kind::other;
        }
        // That of a join may be a function of one of them alone.
        const auto slot = [](const Expr *part) { return as<sema::ParameterExpr>(*part).slot; };
        if (expr.op == Op::join && (call.b == nullptr || slot(call.a) == slot(call.b))) {
            return Kind::other;
        }
    }
    switch (call.function) {
        case ScalarFunction::multiply:
        case ScalarFunction::square:
            return Kind::product;
        case ScalarFunction::add:
        case ScalarFunction::subtract:
            return Kind::sum;
        case ScalarFunction::abs:
        case ScalarFunction::fabs:
            return Kind::conversion;
        default:
            return Kind::other;
    }
}

CellFunction cell_function(const sema::CallExpr &expr) {
    const bool has_cells = !expr.type->is_scalar();
    return {expr.function, expr.type->cell_type(), has_cells && expr.a->type->is_scalar(),
            has_cells && expr.b != nullptr && expr.b->type->is_scalar()};
}

}  // namespace

namespace {

UnaryFunction with_scalar(const BinaryFunction &function, Number scalar, bool is_first) {
    return {
        [of = function.of, scalar, is_first](Number cell) { return is_first ? of(scalar, cell) : of(cell, scalar); },
        function.kind, scalar};
}

}  // namespace

// What an operation does to each cell.
UnaryFunction Evaluator::unary_function(const Expr &expr) {
    const Kind kind = kind_of(expr);
    switch (expr.op) {
        case Op::call: {
            const CellFunction function = cell_function(as<sema::CallExpr>(expr));
            if (workspace_.bounds) {
                return {[function](Number a) { return reference::apply(function, a); }, kind};
            }
            return {[function](Number a) { return Number{tenrex::apply(function.function, a.value)}; }, kind};
        }
        case Op::user_call:
            return {[&](Number a) { return user_number(as<sema::UserCallExpr>(expr), {&a, 1}); }, kind};
        case Op::in_set: {
            const std::span<const double> set = as<sema::InExpr>(expr).set;
            return {[this, set](Number a) {
                        workspace_.budget.take_steps(set.size());
                        const bool is_in = std::find(set.begin(), set.end(), a.value) != set.end();
                        const bool may_be = a.error > 0.0 && std::any_of(set.begin(), set.end(), [&](double number) {
                                                return !(std::fabs(number - a.value) > a.error);
                                            });
                        return Number{is_in ? 1.0 : 0.0, may_be ? 1.0 : 0.0};
                    },
                    kind};
        }
        case Op::cell_cast: {
            const CellType from = operand(expr, 0)->type->cell_type();
            const CellType to = expr.type->cell_type();
            return {[from, to](Number a) { return from == CellType::f64 ? narrowed(to, a) : a; }, kind};
        }
        default: {
            const CellType type = expr.type->cell_type();
            return {[type, lambda = lambda_of(expr)](Number a) {
                        const Value argument = a;
                        return narrowed(type, lambda({&argument, 1}).number());
                    },
                    kind};
        }
    }
}

BinaryFunction Evaluator::binary_function(const Expr &expr) {
    const Kind kind = kind_of(expr);
    switch (expr.op) {
        case Op::call: {
            const CellFunction function = cell_function(as<sema::CallExpr>(expr));
            if (workspace_.bounds) {
                return {[function](Number a, Number b) { return reference::apply(function, a, b); }, kind};
            }
            return {
                [function](Number a, Number b) { return Number{tenrex::apply(function.function, a.value, b.value)}; },
                kind};
        }
        case Op::user_call:
            return {[&](Number a, Number b) {
                        return user_number(as<sema::UserCallExpr>(expr), std::array{a, b});
                    },
                    kind};
        default: {
            const CellType type = expr.type->cell_type();
            return {[type, lambda = lambda_of(expr)](Number a, Number b) {
                        const Value arguments[] = {a, b};
                        return narrowed(type, lambda(arguments).number());
                    },
                    kind};
        }
    }
}

Number Evaluator::user_number(const sema::UserCallExpr &expr, std::span<const Number> arguments) {
    const std::size_t count = arguments.size();
    const auto call = [&](const double *values) { return expr.function->call(std::span(values, count)); };
    std::vector<double> values;
    for (const Number &argument : arguments) {
        values.push_back(argument.value);
    }
    Number result{call(values.data())};
    if (std::any_of(arguments.begin(), arguments.end(), [](const Number &a) { return a.error > 0.0; })) {
        result.error = largest_change(call, arguments.data(), count);
    }
    return result;
}

Value Evaluator::user_call(const sema::UserCallExpr &expr, std::size_t first_value) {
    std::vector<Number> arguments;
    for (std::size_t i = 0; i < expr.arguments.size(); ++i) {
        arguments.push_back(values_[first_value + i].number());
    }
    return user_number(expr, arguments);
}

Value Evaluator::aggregate(const sema::ReduceExpr &expr, std::size_t first_value) {
    if (expr.operand->type->is_scalar() && expr.aggregator != Aggregator::count) {
        return values_[first_value];  // also a -0, which as the sum of a tensor is 0
    }
    const Reduced reduced = reduced_by(expr);
    Computed operand;
    operand.a = values_[first_value];
    if (reduced.join != nullptr) {
        operand.b = values_[first_value + 1];
        operand.joined = &type_of(*reduced.join, operand.a, *operand.b);
        operand.function = binary_function(*reduced.join);
    }
    // What is reduced has the sizes of what it is computed of.
    const TensorType &cells = operand.joined != nullptr       ? *operand.joined
                              : operand.a.blocks() != nullptr ? operand.a.blocks()->type()
                                                              : *expr.operand->type;
    std::size_t next = first_value + (reduced.join != nullptr ? 2 : 1);
    for (const Reduced::Step &step : reduced.steps) {
        if (step.scalar) {
            const Number scalar = values_[next++].number();
            operand.steps.push_back({&type_like(*step.expr->type, cells),
                                     with_scalar(binary_function(*step.expr), scalar, *step.scalar == 0)});
        } else {
            operand.steps.push_back({&type_like(*step.expr->type, cells), unary_function(*step.expr)});
        }
    }
    return reduce(workspace_, type_like(*expr.type, cells), operand, expr.aggregator);
}

Value Evaluator::generate(const sema::GenerateExpr &expr) {
    const TensorType &type = *expr.type;
    const std::vector<Dimension> &dimensions = type.dimensions();
    Blocks target(workspace_.budget, type);
    target.append({});

    Call &call = *call_;
    const std::uint32_t first = expr.first_slot;
    // A definition sees nothing of the generator that it is used in, whose slots it does not know of.
    std::vector<Value> hidden;
    if (first < call.slots.size()) {
        hidden.assign(std::make_move_iterator(call.slots.begin() + first), std::make_move_iterator(call.slots.end()));
    }
    call.slots.resize(first + expr.dimensions.size());
    call.scopes.push_back({first, 0});
    std::vector<std::uint64_t> indexes(dimensions.size());
    for (std::size_t cell = 0; cell < type.block_cells(); ++cell) {
        for (std::size_t i = 0; i < expr.dimensions.size(); ++i) {
            call.slots[first + i] = static_cast<double>(indexes[expr.dimensions[i]]);
        }
        call.scopes.back().stamp = ++last_stamp_;
        target.set(0, cell, narrowed(type.cell_type(), run(*expr.body).number()));
        for (std::size_t i = dimensions.size(); i-- > 0;) {
            if (++indexes[i] < dimensions[i].size) {
                break;
            }
            indexes[i] = 0;
        }
    }
    call.scopes.pop_back();
    call.slots.resize(first);
    call.slots.insert(call.slots.end(), std::make_move_iterator(hidden.begin()), std::make_move_iterator(hidden.end()));
    return Value(std::move(target));
}

namespace {

bool may_be_others(Number number) {
    return number.error > 0.0 && (number.error == undetermined ||
                                  truncated(number.value - number.error) != truncated(number.value + number.error));
}

bool may_be_others(const Value &indexes) {
    const Blocks &blocks = *indexes.blocks();
    for (std::size_t i = 0; i < blocks.cells().size() && !blocks.is_exact(); ++i) {
        if (may_be_others(blocks.at(0, i))) {
            return true;
        }
    }
    return false;
}

}  // namespace

Value Evaluator::peek_at(const sema::PeekExpr &expr, std::size_t first_value) {
    std::vector<Place> places;
    std::size_t next = first_value + 1;
    bool vague = false;
    bool at_indexes = false;
    const TensorType &type = *expr.operand->type;
    for (const sema::PeekPart &part : expr.parts) {
        if (part.expression != nullptr && !part.expression->type->is_scalar()) {
            places.push_back({part.dimension, std::nullopt, &values_[next++]});
            vague |= may_be_others(*places.back().indexes);
            at_indexes = true;
            continue;
        }
        const Dimension &dimension = type.dimensions()[*type.find(part.dimension)];
        std::optional<std::uint64_t> at;
        const Number computed = part.expression == nullptr ? Number{} : values_[next++].number();
        vague |= may_be_others(computed);
        if (part.expression == nullptr) {
            if (dimension.is_mapped()) {
                at = workspace_.labels.find(part.label);
            } else {
                at = part.index;
            }
        } else if (const auto number = truncated(computed.value)) {
            if (dimension.is_mapped()) {
                at = workspace_.labels.find(fmt::to_string(*number));
            } else if (*number >= 0) {
                at = static_cast<std::uint64_t>(*number);
            }
        }
        places.push_back({part.dimension, at});
    }
    if (at_indexes) {
        const Value found = peek_at_indexes(workspace_, type_of(expr, std::span(values_).subspan(first_value)),
                                            values_[first_value], places);
        return vague ? forgotten(workspace_, found) : found;
    }
    const Value found = peek(workspace_, type_of(expr, values_[first_value]), values_[first_value], places);
    return vague ? forgotten(workspace_, found) : found;
}

std::function<Value(std::span<const Value>)> Evaluator::lambda_of(const Expr &expr) {
    return [this, lambda = body(expr),
            call = std::make_shared<Call>(Call{{}, {{0, 0}}})](std::span<const Value> arguments) {
        call->slots.assign(arguments.begin(), arguments.end());
        call->scopes.front().stamp = ++last_stamp_;
        Call *const outer = std::exchange(call_, call.get());
        Value result = run(*lambda);
        call_ = outer;
        return result;
    };
}

Value Evaluator::of_subspaces(const Expr &expr, std::size_t first_value) {
    const auto function = lambda_of(expr);
    const auto lambda = [&](const Value &subspace) { return function({&subspace, 1}); };
    const Value operand_value = values_[first_value];
    const TensorType &type =
        operand_value.blocks() == nullptr ? *operand(expr, 0)->type : operand_value.blocks()->type();
    const TensorType &block = intern(sema::block_type(type));
    if (expr.op == Op::filter_subspaces) {
        return filter_subspaces(workspace_, type_of(expr, operand_value), block, operand_value, lambda);
    }
    const auto result = [&](const Value &mapped) -> const TensorType & { return type_of(expr, mapped); };
    return map_subspaces(workspace_, result, block, operand_value, lambda);
}

const Value &Evaluator::constant(const sema::ConstantExpr &expr) {
    const auto found = constants_.find(expr.value);
    if (found != constants_.end()) {
        return found->second;
    }
    return constants_.emplace(expr.value, from_tensor(workspace_, *expr.type, *expr.value)).first->second;
}

}  // namespace tenrex::reference
