#include "lib/reference/evaluator.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "lib/reference/operands.h"

namespace tenrex::reference {

using sema::as;
using sema::Expr;
using sema::Op;

namespace {

constexpr std::uint32_t last_slot_bit = 63;

constexpr std::uint64_t slot_bit(std::uint32_t slot) noexcept {
    return std::uint64_t{1} << std::min(slot, last_slot_bit);
}

}  // namespace

Evaluator::Evaluator(const sema::TypedExpression &expression, std::span<const Tensor> inputs, const Limits &limits,
                     bool bounds)
    : expression_(expression),
      given_(inputs),
      workspace_{Budget(limits), {}, bounds},
      notes_(expression.node_count()) {}

BoundedTensor Evaluator::result() {
    const Expr &root = expression_.root();
    note_slots(root);
    for (std::size_t i = 0; i < given_.size(); ++i) {
        const sema::InputUse &use = expression_.inputs()[i];
        workspace_.budget.where = use.first_use;
        const Tensor &value = use.value != nullptr ? *use.value : given_[i];
        inputs_.push_back(from_tensor(workspace_, intern(value.type()), value));
    }
    Call call{{}, {{0, ++last_stamp_}}};
    call_ = &call;
    const Value value = run(root);
    BoundedTensor result;
    result.value = to_tensor(workspace_, value);
    if (workspace_.bounds) {
        result.bound = errors_to_tensor(workspace_, value);
        result.addresses_known = value.blocks() == nullptr || value.blocks()->origin().addresses_known;
    }
    return result;
}

// Visits each node once, operands and bodies before their users.
void Evaluator::note_slots(const Expr &root) {
    struct Visit {
        const Expr *expr;
        std::size_t next;
    };
    std::vector<bool> seen(notes_.size());
    std::vector<Visit> visits;
    const auto enter = [&](const Expr *expr) {
        if (expr != nullptr && !seen[expr->id]) {
            seen[expr->id] = true;
            visits.push_back({expr, 0});
        }
    };
    enter(&root);
    while (!visits.empty()) {
        const Expr &expr = *visits.back().expr;
        const std::size_t count = operand_count(expr);
        const std::size_t next = visits.back().next++;
        if (next < count) {
            enter(operand(expr, next));
            continue;
        }
        if (next == count) {
            enter(body(expr));
            continue;
        }
        std::uint64_t slots = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (const Expr *part = operand(expr, i)) {
                slots |= notes_[part->id].slots;
            }
        }
        if (expr.op == Op::parameter) {
            slots |= slot_bit(as<sema::ParameterExpr>(expr).slot);
        } else if (expr.op == Op::generate) {
            // Its body sees what the generator sees and the generator's own slots, which are the last ones.
            const std::uint32_t first = std::min(as<sema::GenerateExpr>(expr).first_slot, last_slot_bit);
            const std::uint64_t outer = (slot_bit(first) - 1) | (first == last_slot_bit ? slot_bit(first) : 0);
            slots |= notes_[body(expr)->id].slots & outer;
        }
        notes_[expr.id].slots = slots;
        visits.pop_back();
    }
}

Value Evaluator::run(const Expr &root) {
    const std::size_t base = tasks_.size();
    begin(root);
    while (tasks_.size() > base) {
        if (const Expr *operand = next_operand(tasks_.back())) {
            begin(*operand);
        } else {
            finish();
        }
    }
    Value result = std::move(values_.back());
    values_.pop_back();
    return result;
}

// Pushes the value of the node if it is at hand, else a task that will work it out.
void Evaluator::begin(const Expr &expr) {
    switch (expr.op) {
        case Op::number:
            values_.emplace_back(as<sema::NumberExpr>(expr).value);
            return;
        case Op::input:
            values_.push_back(inputs_[as<sema::InputExpr>(expr).input]);
            return;
        case Op::parameter:
            values_.push_back(call_->slots[as<sema::ParameterExpr>(expr).slot]);
            return;
        case Op::constant:
            values_.push_back(constant(as<sema::ConstantExpr>(expr)));
            return;
        default:
            break;
    }
    if (const std::uint64_t stamp = kept_until(expr); stamp != 0 && notes_[expr.id].stamp == stamp) {
        values_.push_back(notes_[expr.id].value);
        return;
    }
    tasks_.push_back({&expr, 0, values_.size()});
}

const Expr *Evaluator::next_operand(Task &task) {
    if (task.expr->op == Op::conditional) {
        return next_branch(task);
    }
    if (task.expr->op == Op::reduce) {
        const Reduced reduced = reduced_by(as<sema::ReduceExpr>(*task.expr));
        return task.next < reduced.operands.size() ? reduced.operands[task.next++] : nullptr;
    }
    const std::size_t count = operand_count(*task.expr);
    while (task.next < count) {
        if (const Expr *found = operand(*task.expr, task.next++)) {
            return found;
        }
    }
    return nullptr;
}

// The condition, then the branch that it chooses; the other one, too, if the condition is not known for certain.
const Expr *Evaluator::next_branch(Task &task) {
    enum : std::size_t { condition, chosen, also_when_true, also_when_false, done };
    switch (task.next) {
        case condition:
            task.next = chosen;
            return operand(*task.expr, 0);
        case chosen: {
            const Number number = values_.back().number();
            values_.pop_back();
            const bool holds = number.value != 0.0;
            task.next = !may_be_either(number) ? done : holds ? also_when_false : also_when_true;
            return operand(*task.expr, holds ? 1 : 2);
        }
        case also_when_true:
        case also_when_false: {
            const std::size_t branch = task.next == also_when_true ? 1 : 2;
            task.next = done;
            return operand(*task.expr, branch);
        }
        default:
            return nullptr;
    }
}

// Replaces the operands' values by the value of the node.
void Evaluator::finish() {
    const Task task = tasks_.back();
    workspace_.budget.where = task.expr->span;
    workspace_.budget.take_steps(1);
    Value result = apply(*task.expr, task.first_value);
    const bool addresses_known = std::all_of(
        values_.begin() + static_cast<std::ptrdiff_t>(task.first_value), values_.end(),
        [](const Value &value) { return value.blocks() == nullptr || value.blocks()->origin().addresses_known; });
    if (!addresses_known) {
        result = forgotten(workspace_, result);
    }
    tasks_.pop_back();
    values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(task.first_value), values_.end());
    if (const std::uint64_t stamp = kept_until(*task.expr); stamp != 0) {
        notes_[task.expr->id].stamp = stamp;
        notes_[task.expr->id].value = result;
    }
    values_.push_back(std::move(result));
}

// The stamp of the innermost scope that the value depends on: as long as that lasts, the value stays. 0 if nobody will
// ask for it again: one node uses it, and for the next cell of the generator around it is another one.
std::uint64_t Evaluator::kept_until(const Expr &expr) const noexcept {
    const std::vector<Scope> &scopes = call_->scopes;
    const std::uint64_t slots = notes_[expr.id].slots;
    const auto last = static_cast<std::uint32_t>(63 - std::countl_zero(slots | 1));
    auto scope = scopes.rbegin();
    if (slots == 0) {
        scope = std::prev(scopes.rend());
    } else if (last != last_slot_bit) {
        scope = std::find_if(scopes.rbegin(), scopes.rend(), [&](const Scope &s) { return s.first_slot <= last; });
    }
    return expr.uses > 1 || scope != scopes.rbegin() ? scope->stamp : 0;
}

}  // namespace tenrex::reference
