#include "lib/ir/builder.h"

#include <algorithm>
#include <limits>

#include "lib/ir/closed_expressions.h"
#include "lib/support/format.h"

namespace tenrex::ir {

using sema::as;
using sema::Expr;

Result<Graph> build(const sema::TypedExpression &expression, const Limits &limits, Graph graph, std::string output_name,
                    std::uint32_t text_begin) {
    return Builder(expression, limits, std::move(graph), text_begin).run(std::move(output_name));
}

namespace {

// The shortest of "_f", "__f", "___f", ... that no dimension of the expression begins with.
std::string unused_prefix(const sema::TypedExpression &expression) {
    std::string prefix = "_f";
    const auto is_used = [&] {
        for (const auto &type : expression.types()) {
            for (const Dimension &dimension : type->dimensions()) {
                if (dimension.name.starts_with(prefix)) {
                    return true;
                }
            }
        }
        return false;
    };
    while (is_used()) {
        prefix.insert(0, 1, '_');
    }
    return prefix;
}

}  // namespace

Builder::Builder(const sema::TypedExpression &expression, const Limits &limits, Graph graph, std::uint32_t text_begin)
    : expression_(expression),
      type_limits_(limits),
      most_indexes_(limits.evaluation_cells),
      graph_(std::move(graph)),
      inputs_(expression.inputs().size()),
      scope_prefix_(unused_prefix(expression)),
      text_begin_(text_begin) {
    // What is stored is known when the plan is made, and is bounded there.
    type_limits_.block_cells = std::numeric_limits<std::uint64_t>::max();
    if (graph_.size() == 0) {
        graph_.reserve(expression.node_count(), expression.inputs().size());
    }
    for (std::uint32_t i = 0; i < graph_.inputs().size(); ++i) {
        input_index_.emplace(graph_.inputs()[i].name, i);
    }
}

Result<Graph> Builder::run(std::string output_name) {
    Scope scope;
    scope.memo = Memo(expression_.node_count());
    const NodeId root = build(expression_.root(), scope);
    if (error_) {
        return *std::move(error_);
    }
    const std::string result = output_name.empty() ? "the result" : fmt::format("the output '{}'", output_name);
    std::optional<TensorType> as_declared = declared(expression_.type(), result);
    if (error_) {
        return *std::move(error_);
    }
    const bool needs_sizes = as_declared && as_declared->open_count() > 1;
    graph_.add_output({std::move(output_name), root, std::move(as_declared)});
    if (needs_sizes) {
        add_sizes(root);
    }
    return std::move(graph_);
}

void add_operands(const Expr &expr, std::vector<const Expr *> &operands) {
    const auto add = [&](auto... more) { (operands.push_back(more), ...); };
    switch (expr.op) {
        case sema::Op::number:
        case sema::Op::input:
        case sema::Op::parameter:
        case sema::Op::constant:
        case sema::Op::generate:
            return;
        case sema::Op::call: {
            const auto &call = as<sema::CallExpr>(expr);
            return call.b == nullptr ? add(call.a) : add(call.a, call.b);
        }
        case sema::Op::user_call: {
            const auto &arguments = as<sema::UserCallExpr>(expr).arguments;
            operands.insert(operands.end(), arguments.begin(), arguments.end());
            return;
        }
        case sema::Op::in_set:
            return add(as<sema::InExpr>(expr).subject);
        case sema::Op::conditional: {
            const auto &choice = as<sema::IfExpr>(expr);
            return add(choice.condition, choice.when_true, choice.when_false);
        }
        case sema::Op::map:
        case sema::Op::map_subspaces:
        case sema::Op::filter_subspaces:
            return add(as<sema::MapExpr>(expr).operand);
        case sema::Op::join:
        case sema::Op::merge:
            return add(as<sema::JoinExpr>(expr).a, as<sema::JoinExpr>(expr).b);
        case sema::Op::reduce:
            return add(as<sema::ReduceExpr>(expr).operand);
        case sema::Op::rename:
            return add(as<sema::RenameExpr>(expr).operand);
        case sema::Op::concat:
            return add(as<sema::ConcatExpr>(expr).a, as<sema::ConcatExpr>(expr).b);
        case sema::Op::cell_cast:
            return add(as<sema::CellCastExpr>(expr).operand);
        case sema::Op::cell_order:
            return add(as<sema::CellOrderExpr>(expr).operand);
        case sema::Op::to_mapped:
            return add(as<sema::ToMappedExpr>(expr).operand);
        case sema::Op::cut:
            return add(as<sema::CutExpr>(expr).operand);
        case sema::Op::literal:
            for (const sema::LiteralCellExpr &cell : as<sema::LiteralExpr>(expr).cells) {
                add(cell.value);
            }
            return;
        case sema::Op::peek:
            add(as<sema::PeekExpr>(expr).operand);
            for (const sema::PeekPart &part : as<sema::PeekExpr>(expr).parts) {
                if (part.expression != nullptr) {
                    add(part.expression);
                }
            }
            return;
        case sema::Op::forest:
            for (const Expr *feature : as<sema::ForestExpr>(expr).features) {
                add(feature);
            }
            return;
    }
    __builtin_unreachable();
}

// Operands first, with a stack of its own: a sum may be as long as the text allows.
NodeId Builder::build(const Expr &root, Scope &scope) {
    struct Pending {
        const Expr *expr;
        bool has_operands;  // they are built
    };
    const Span around = span_;
    std::vector<Pending> pending;
    std::vector<const Expr *> operands;
    pending.reserve(32);
    pending.push_back({&root, false});
    while (!pending.empty()) {
        const auto [expr, has_operands] = pending.back();
        if (scope.memo.find(expr->id)) {
            pending.pop_back();
            continue;
        }
        if (scope.outer != nullptr && closed_[expr->id]) {
            pending.pop_back();
            scope.memo.add(expr->id, build(*expr, *scope.outer));
            continue;
        }
        if (!has_operands) {
            operands.clear();
            add_operands(*expr, operands);
            if (scope.outer == nullptr && expr->op == sema::Op::generate) {
                // They are there when the body is built, however many generators stand in each other's bodies.
                if (closed_.empty()) {
                    closed_ = closed_expressions(expression_);
                }
                add_closed_parts(as<sema::GenerateExpr>(*expr), closed_, operands);
            }
            pending.back().has_operands = true;
            // The first operand comes first in the graph.
            for (std::size_t i = operands.size(); i-- > 0;) {
                if (!scope.memo.find(operands[i]->id)) {
                    pending.push_back({operands[i], false});
                }
            }
            if (pending.back().expr != expr) {
                continue;
            }
        }
        pending.pop_back();
        note_text(expr->span);
        scope.memo.add(expr->id, translate(*expr, scope));
    }
    span_ = around;
    return at(root, scope);
}

void Builder::note_text(Span span) {
    // A definition that is no part of the text has no place in it.
    const bool has_text = span.end > span.begin;
    if (!in_scalar_lambda_) {
        span_ = has_text ? Span{span.begin + text_begin_, span.end + text_begin_} : Span{};
    }
}

NodeId Builder::translate(const Expr &expr, Scope &scope) {
    const CellType cell_type = expr.type->cell_type();
    switch (expr.op) {
        case sema::Op::number:
            return graph_.constant(as<sema::NumberExpr>(expr).value);
        case sema::Op::constant:
            return graph_.constant(*as<sema::ConstantExpr>(expr).value);
        case sema::Op::input:
            return input(as<sema::InputExpr>(expr).input);
        case sema::Op::parameter:
            return scope.slots[as<sema::ParameterExpr>(expr).slot];
        case sema::Op::call: {
            const auto &call = as<sema::CallExpr>(expr);
            const NodeId both[] = {at(*call.a, scope), at(call.b != nullptr ? *call.b : *call.a, scope)};
            const std::span<const NodeId> operands(both, call.b != nullptr ? 2 : 1);
            return add(Op::apply, cell_type, operands, Apply{call.function});
        }
        case sema::Op::user_call: {
            const auto &call = as<sema::UserCallExpr>(expr);
            std::vector<NodeId> operands;
            for (const Expr *argument : call.arguments) {
                operands.push_back(at(*argument, scope));
            }
            return add(Op::user, cell_type, operands, User{std::make_shared<const UserFunction>(*call.function)});
        }
        case sema::Op::in_set: {
            const auto &in = as<sema::InExpr>(expr);
            const NodeId subject = at(*in.subject, scope);
            return add(Op::in_set, cell_type, {subject}, InSet{{in.set.begin(), in.set.end()}});
        }
        case sema::Op::conditional:
            return conditional(as<sema::IfExpr>(expr), scope);
        case sema::Op::map:
            return map(as<sema::MapExpr>(expr), scope);
        case sema::Op::join:
            return join(as<sema::JoinExpr>(expr), scope);
        case sema::Op::merge:
            return merge(as<sema::JoinExpr>(expr), scope);
        case sema::Op::reduce:
            return reduce(as<sema::ReduceExpr>(expr), scope);
        case sema::Op::rename: {
            const auto &names = as<sema::RenameExpr>(expr);
            return rename(at(*names.operand, scope), {names.from.begin(), names.from.end()},
                          {names.to.begin(), names.to.end()});
        }
        case sema::Op::concat:
            return concat(as<sema::ConcatExpr>(expr), scope);
        case sema::Op::cell_cast:
            return cast(at(*as<sema::CellCastExpr>(expr).operand, scope), cell_type);
        case sema::Op::cell_order:
            return order(as<sema::CellOrderExpr>(expr), scope);
        case sema::Op::map_subspaces:
            return map_subspaces(as<sema::MapExpr>(expr), scope);
        case sema::Op::filter_subspaces:
            return filter_subspaces(as<sema::MapExpr>(expr), scope);
        case sema::Op::generate:
            return generate(as<sema::GenerateExpr>(expr), scope);
        case sema::Op::literal:
            return literal(as<sema::LiteralExpr>(expr), scope);
        case sema::Op::peek:
            return peek(as<sema::PeekExpr>(expr), scope);
        case sema::Op::to_mapped:
            return to_mapped(as<sema::ToMappedExpr>(expr), scope);
        case sema::Op::cut:
            return cut(as<sema::CutExpr>(expr), scope);
        case sema::Op::forest:
            return forest(as<sema::ForestExpr>(expr), scope);
    }
    __builtin_unreachable();
}

}  // namespace tenrex::ir
