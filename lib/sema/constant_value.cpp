#include "lib/sema/constant_value.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "lib/support/scalar_functions.h"

namespace tenrex::sema {

namespace {

struct Operands {
    std::array<const Expr *, 3> items{};
    std::size_t count = 0;
};

// Operands of a node that may be constant; none for others.
std::optional<Operands> operands_of(const Expr &expr) {
    switch (expr.op) {
        case Op::number:
            return Operands{};
        case Op::call: {
            const auto &call = as<CallExpr>(expr);
            return Operands{{call.a, call.b}, call.b == nullptr ? std::size_t{1} : std::size_t{2}};
        }
        case Op::in_set:
            return Operands{{as<InExpr>(expr).subject}, 1};
        case Op::conditional: {
            const auto &choice = as<IfExpr>(expr);
            return Operands{{choice.condition, choice.when_true, choice.when_false}, 3};
        }
        default:
            return std::nullopt;
    }
}

double compute(const Expr &expr, const std::array<double, 3> &operands) {
    switch (expr.op) {
        case Op::call:
            return apply(as<CallExpr>(expr).function, operands[0], operands[1]);
        case Op::in_set: {
            const auto &in = as<InExpr>(expr);
            return std::find(in.set.begin(), in.set.end(), operands[0]) != in.set.end() ? 1 : 0;
        }
        case Op::conditional:
            return operands[0] != 0 ? operands[1] : operands[2];
        default:
            return as<NumberExpr>(expr).value;
    }
}

}  // namespace

std::optional<double> constant_value(const Expr &expr) {
    if (expr.op == Op::number) {
        return as<NumberExpr>(expr).value;
    }
    if (!expr.is_scalar_code) {
        return std::nullopt;
    }
    // A stack of its own: chains may be long, and nodes may be shared.
    std::unordered_map<std::uint32_t, double> values;
    std::vector<const Expr *> open{&expr};
    while (!open.empty()) {
        const Expr &at = *open.back();
        const std::optional<Operands> operands = operands_of(at);
        if (!operands) {
            return std::nullopt;
        }
        std::array<double, 3> arguments{};
        bool ready = true;
        for (std::size_t i = 0; i < operands->count; ++i) {
            const auto known = values.find(operands->items[i]->id);
            if (known == values.end()) {
                open.push_back(operands->items[i]);
                ready = false;
                break;
            }
            arguments[i] = known->second;
        }
        if (ready) {
            values[at.id] = compute(at, arguments);
            open.pop_back();
        }
    }
    return values[expr.id];
}

}  // namespace tenrex::sema
