// What is allowed and hardly ever meant: strings taken as numbers, sums over pairs that have nothing in common, labels
// that are names of values.
#include <algorithm>
#include <utility>

#include "lib/sema/checker.h"
#include "lib/support/format.h"

namespace tenrex::sema {

namespace {

// What means the same of a text and of the number that stands for it.
bool is_for_strings(ScalarFunction function) noexcept {
    return function == ScalarFunction::equal || function == ScalarFunction::not_equal ||
           function == ScalarFunction::is_nan;
}

bool is_string(const Expr *value) noexcept {
    return value != nullptr && value->is_string;
}

bool is_number(const Expr *value) noexcept {
    return value != nullptr && value->op == Op::number && !value->is_string;
}

// An unquoted label that looks as if it were meant to be computed.
bool looks_computed(const syntax::PeekEntry &entry) noexcept {
    return entry.expression != nullptr && entry.label.find_first_of("+*/%^()") != std::string_view::npos;
}

// The operation on two tensors that a value comes from, through what works cell by cell; null if there is none.
const CallExpr *pairing(const Expr &value) noexcept {
    for (const Expr *at = &value; at->op == Op::call;) {
        const auto &call = as<CallExpr>(*at);
        if (call.b != nullptr && !call.a->type->is_scalar() && !call.b->type->is_scalar()) {
            return &call;
        }
        at = call.b == nullptr || call.b->type->is_scalar() ? call.a : call.b;
    }
    return nullptr;
}

bool has_more_than_one_cell(const TensorType &type) noexcept {
    const auto &dimensions = type.dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(), [](const auto &each) { return each.size != 1; });
}

}  // namespace

// sum(a*b) of vectors without a common dimension is sum(a)*sum(b): every cell of one with every cell of the other.
void Checker::warn_of_outer_sum(const Expr &operand, Aggregator aggregator, const Names &dimensions) {
    const CallExpr *pair = pairing(operand);
    if (pair == nullptr || (aggregator != Aggregator::sum && aggregator != Aggregator::avg)) {
        return;
    }
    const TensorType &a = *pair->a->type;
    const TensorType &b = *pair->b->type;
    const auto in_a = [&](std::string_view dimension) { return a.find(dimension).has_value(); };
    const auto in_b = [&](std::string_view dimension) { return b.find(dimension).has_value(); };
    const auto is_shared = [&](const Dimension &dimension) { return in_b(dimension.name); };
    if (std::any_of(a.dimensions().begin(), a.dimensions().end(), is_shared) || !has_more_than_one_cell(a) ||
        !has_more_than_one_cell(b) || std::none_of(dimensions.begin(), dimensions.end(), in_a) ||
        std::none_of(dimensions.begin(), dimensions.end(), in_b)) {
        return;
    }
    diagnostics_.warning(pair->span,
                         fmt::format("{} and {} have no dimension in common: every cell of one meets every cell of the "
                                     "other, and '{}' takes all of them",
                                     a.to_string(), b.to_string(), info(aggregator).name),
                         fmt::format("if the dimensions are the same, rename one: rename(t, {}, {})",
                                     b.dimensions().front().name, a.dimensions().front().name));
}

// A vector whose type nobody told makes a dot product with it the sum of the other vector, times a number.
void Checker::warn_of_assumed_number(const Expr &operand, Aggregator aggregator) {
    if (aggregator != Aggregator::sum || operand.op != Op::call ||
        as<CallExpr>(operand).function != ScalarFunction::multiply) {
        return;
    }
    const auto &product = as<CallExpr>(operand);
    for (const auto &[number, other] : {std::pair(product.a, product.b), {product.b, product.a}}) {
        if (number->op != Op::input || other->type->is_scalar()) {
            continue;
        }
        const std::string &name = builder_.input_use(as<InputExpr>(*number).input).name;
        const auto &assumed = options_.assumed_numbers;
        if (std::find(assumed.begin(), assumed.end(), name) != assumed.end()) {
            diagnostics_.warning(number->span,
                                 fmt::format("'{}', which nobody declares, is taken for a number: every cell of {} is "
                                             "multiplied by it",
                                             name, other->type->to_string()),
                                 std::string(options_.assumed_number_hint));
        }
    }
}

void Checker::warn_of_label(const syntax::PeekEntry &entry) {
    if (entry.quoted) {
        return;
    }
    if (looks_computed(entry)) {
        diagnostics_.warning(entry.span,
                             fmt::format("'{}' is taken as the text of a label, it is not computed", entry.label),
                             fmt::format("write ({}) to compute a label, or quote it", entry.label));
    } else if (is_visible(entry.label)) {
        diagnostics_.warning(entry.span,
                             fmt::format("'{0}' is taken as the text of a label, not as the value '{0}'", entry.label),
                             fmt::format("write ({}) for the value, or quote the label", entry.label));
    }
}

void Checker::warn_of_strings(const syntax::CallNode &node, const Expr *a, const Expr *b) {
    if (!is_string(a) && !is_string(b)) {
        return;
    }
    const ScalarFunctionInfo &function = info(node.function);
    if (!is_for_strings(node.function)) {
        diagnostics_.warning(
            node.name_span,
            fmt::format("'{}' of a string computes with the number that stands for the text", function.name),
            "strings can be compared with ==, != and in");
    } else if (is_number(a) || is_number(b)) {
        diagnostics_.warning(node.name_span, "a string is compared with a number; no text is equal to one",
                             "write the number in quotes if it is a text");
    }
}

}  // namespace tenrex::sema
