// What each kind of node does with the values of its operands.
#include <algorithm>
#include <array>
#include <cmath>

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
        case Op::call:
            return call(as<sema::CallExpr>(expr), first_value);
        case Op::user_call:
            return user_call(as<sema::UserCallExpr>(expr), first_value);
        case Op::in_set:
            return in_set(as<sema::InExpr>(expr), operand_value(0));
        case Op::conditional:
            return operand_value(0);  // of the chosen branch
        case Op::map:
        case Op::join:
        case Op::merge:
        case Op::map_subspaces:
        case Op::filter_subspaces:
            return with_lambda(expr, first_value);
        case Op::reduce:
            return reduce(workspace_, *expr.type, operand_value(0), as<sema::ReduceExpr>(expr).aggregator);
        case Op::rename:
            return rename(workspace_, *expr.type, operand_value(0), as<sema::RenameExpr>(expr).from,
                          as<sema::RenameExpr>(expr).to);
        case Op::concat:
            return concat(workspace_, *expr.type, operand_value(0), operand_value(1),
                          as<sema::ConcatExpr>(expr).dimension);
        case Op::cell_cast:
            return cell_cast(workspace_, *expr.type, operand_value(0));
        case Op::cell_order:
            return cell_order(workspace_, *expr.type, operand_value(0), as<sema::CellOrderExpr>(expr).ascending);
        case Op::generate:
            return generate(as<sema::GenerateExpr>(expr));
        case Op::literal:
            return literal(workspace_, *expr.type, as<sema::LiteralExpr>(expr).cells,
                           std::span(values_).subspan(first_value));
        case Op::peek:
            return peek_at(as<sema::PeekExpr>(expr), first_value);
        case Op::to_mapped:
            return to_mapped(workspace_, *expr.type, operand_value(0), as<sema::ToMappedExpr>(expr).dimensions);
        case Op::cut:
            return cut(workspace_, *expr.type, operand_value(0), as<sema::CutExpr>(expr).dimension,
                       as<sema::CutExpr>(expr).begin);
        case Op::number:
        case Op::input:
        case Op::parameter:
        case Op::constant:
            break;  // begin() has their values
    }
    __builtin_unreachable();
}

Value Evaluator::call(const sema::CallExpr &expr, std::size_t first_value) {
    const ScalarFunction function = expr.function;
    if (expr.b == nullptr) {
        return map(workspace_, *expr.type, values_[first_value],
                   [function](double a) { return tenrex::apply(function, a); });
    }
    return join(workspace_, *expr.type, values_[first_value], values_[first_value + 1],
                [function](double a, double b) { return tenrex::apply(function, a, b); });
}

Value Evaluator::user_call(const sema::UserCallExpr &expr, std::size_t first_value) {
    const auto &function = expr.function->call;
    const std::size_t count = expr.arguments.size();
    if (count == 1) {
        return map(workspace_, *expr.type, values_[first_value], [&](double a) { return function(std::array{a}); });
    }
    if (count == 2) {
        return join(workspace_, *expr.type, values_[first_value], values_[first_value + 1], [&](double a, double b) {
            return function(std::array{a, b});
        });
    }
    std::vector<double> arguments;
    for (std::size_t i = 0; i < count; ++i) {
        arguments.push_back(values_[first_value + i].number());
    }
    return function(arguments);
}

Value Evaluator::in_set(const sema::InExpr &expr, const Value &subject) {
    return map(workspace_, *expr.type, subject, [&](double cell) {
        workspace_.budget.take_steps(expr.set.size());
        return std::find(expr.set.begin(), expr.set.end(), cell) != expr.set.end() ? 1.0 : 0.0;
    });
}

Value Evaluator::generate(const sema::GenerateExpr &expr) {
    const TensorType &type = *expr.type;
    const std::vector<Dimension> &dimensions = type.dimensions();
    Blocks target(workspace_.budget, type);
    target.append({});

    Frame &frame = *frame_;
    const std::uint32_t first = expr.first_slot;
    frame.slots.resize(first + expr.dimensions.size());
    frame.scopes.push_back({first, 0});
    std::vector<std::uint64_t> indexes(dimensions.size());
    for (std::size_t cell = 0; cell < type.block_cells(); ++cell) {
        for (std::size_t i = 0; i < expr.dimensions.size(); ++i) {
            frame.slots[first + i] = static_cast<double>(indexes[expr.dimensions[i]]);
        }
        frame.scopes.back().stamp = ++last_stamp_;
        target.set(0, cell, run(*expr.body).number());
        for (std::size_t i = dimensions.size(); i-- > 0;) {
            if (++indexes[i] < dimensions[i].size) {
                break;
            }
            indexes[i] = 0;
        }
    }
    frame.scopes.pop_back();
    return Value(std::move(target));
}

namespace {

// The integer that a computed label or index means, if it fits one.
std::optional<std::int64_t> truncated(double number) {
    constexpr double end = 9223372036854775808.0;
    return number >= -end && number < end ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

}  // namespace

Value Evaluator::peek_at(const sema::PeekExpr &expr, std::size_t first_value) {
    std::vector<Place> places;
    std::size_t next = first_value + 1;
    const TensorType &type = *expr.operand->type;
    for (const sema::PeekPart &part : expr.parts) {
        const Dimension &dimension = type.dimensions()[*type.find(part.dimension)];
        std::optional<std::uint64_t> at;
        if (part.expression == nullptr) {
            if (dimension.is_mapped()) {
                at = workspace_.labels.find(part.label);
            } else {
                at = part.index;
            }
        } else if (const auto number = truncated(values_[next++].number())) {
            if (dimension.is_mapped()) {
                at = workspace_.labels.find(fmt::to_string(*number));
            } else if (*number >= 0 && static_cast<std::uint64_t>(*number) < dimension.size) {
                at = static_cast<std::uint64_t>(*number);
            }
        }
        places.push_back({part.dimension, at});
    }
    return peek(workspace_, *expr.type, values_[first_value], places);
}

Value Evaluator::with_lambda(const Expr &expr, std::size_t first_value) {
    const Expr &lambda = *body(expr);
    Frame frame{{}, {{0, 0}}};
    const auto run_lambda = [&](auto... arguments) {
        frame.slots.assign({Value(arguments)...});
        frame.scopes.front().stamp = ++last_stamp_;
        Frame *const outer = std::exchange(frame_, &frame);
        Value result = run(lambda);
        frame_ = outer;
        return result;
    };
    const auto unary = [&](double a) { return run_lambda(a).number(); };
    const auto binary = [&](double a, double b) { return run_lambda(a, b).number(); };
    const auto of_subspace = [&](const Value &subspace) { return run_lambda(subspace); };

    const Value a = values_[first_value];
    const Value b = operand_count(expr) == 2 ? values_[first_value + 1] : Value();
    switch (expr.op) {
        case Op::map:
            return map(workspace_, *expr.type, a, unary);
        case Op::join:
            return join(workspace_, *expr.type, a, b, binary);
        case Op::merge:
            return merge(workspace_, *expr.type, a, b, binary);
        default: {
            const TensorType &block =
                block_types_.try_emplace(expr.id, sema::block_type(*operand(expr, 0)->type)).first->second;
            return expr.op == Op::map_subspaces ? map_subspaces(workspace_, *expr.type, block, a, of_subspace)
                                                : filter_subspaces(workspace_, *expr.type, block, a, of_subspace);
        }
    }
}

const Value &Evaluator::constant(const sema::ConstantExpr &expr) {
    const auto found = constants_.find(expr.value);
    if (found != constants_.end()) {
        return found->second;
    }
    return constants_.emplace(expr.value, from_tensor(workspace_, *expr.type, *expr.value)).first->second;
}

}  // namespace tenrex::reference
