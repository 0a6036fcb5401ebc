// The token functions: sequences of token ids in one row, CLS a SEP b SEP and zeros.
//
// Each is tensor<float>(d0[1],d1[n])(...) over a chain of `if`. The length of a sequence is the number of its ids above
// zero. Where a sequence ends is the sum of a chain of shared nodes, so the expansion grows with the number of
// sequences only linearly.
#include <cmath>

#include "lib/sema/checker.h"
#include "lib/sema/constant_value.h"
#include "lib/support/format.h"

namespace tenrex::sema {

using syntax::TensorCallNode;

namespace {

constexpr double default_cls = 101;
constexpr double default_sep = 102;

}  // namespace

const TensorType *Checker::token_type(const syntax::Node &node, std::string_view what) {
    Expr *length = check_scalar(node, fmt::format("the length of '{}'", what));
    if (length == nullptr) {
        return nullptr;
    }
    const std::optional<double> value = constant_value(*length);
    if (!value || !(*value >= 1) || *value != std::floor(*value) || *value > 9e15) {
        return fail(node.span, fmt::format("the length of '{}' must be a constant whole number above 0", what));
    }
    const auto size = static_cast<std::uint64_t>(*value);
    return type_of(TensorType::make(CellType::f32, {{"d0", 1}, {"d1", size}}, options_.limits), node.span);
}

Expr *Checker::token_sequence(const syntax::Node &node, std::string_view what) {
    Expr *sequence = check(node);
    if (sequence == nullptr) {
        return nullptr;
    }
    const TensorType &type = *sequence->type;
    if (type.dimensions().size() == 1 && type.is_dense() && type.find("d0")) {
        return sequence;
    }
    const bool renamable = type.dimensions().size() == 1 && type.is_dense();
    return fail(node.span, fmt::format("a sequence of '{}' must be a tensor(d0[n]), not {}", what, type.to_string()),
                renamable ? fmt::format("write rename({}, {}, d0)", text(node.span), type.dimensions().front().name)
                          : std::string());
}

Expr *Checker::expand_tokens(const TensorCallNode &node) {
    const Site place = site(node);
    const Span span = node.span;
    const bool custom = node.function == TensorFunction::custom_token_input_ids;
    const std::size_t first = custom ? 2 : 0;
    Expr *cls = custom ? check_scalar(*node.arguments[0], "the id of CLS") : number(default_cls, span);
    Expr *sep = custom ? check_scalar(*node.arguments[1], "the id of SEP") : number(default_sep, span);
    const TensorType *type = token_type(*node.arguments[first], place.what);
    std::vector<Expr *> sequences;
    bool good = cls != nullptr && sep != nullptr && type != nullptr;
    for (const syntax::Node *argument : node.arguments.subspan(first + 1)) {
        sequences.push_back(token_sequence(*argument, place.what));
        good = good && sequences.back() != nullptr;
    }
    if (!good || full(span)) {
        return nullptr;
    }
    const std::uint32_t slot = next_slot();
    Expr *column = builder_.parameter(slot + 1, builder_.scalar_type(), span);
    Expr *one = number(1, span);
    Expr *zero = number(0, span);
    std::vector<Expr *> begins;  // of each sequence; the last is the end of all
    std::vector<Expr *> ends;    // of each sequence
    begins.push_back(one);
    for (Expr *sequence : sequences) {
        Expr *is_token = call(ScalarFunction::greater, sequence, zero, place);
        Expr *end = call(ScalarFunction::add, begins.back(), sum_of_tensor(is_token, span), place);
        ends.push_back(end);
        begins.push_back(call(ScalarFunction::add, end, one, place));
    }
    const auto before = [&](Expr *end, Expr *then, Expr *otherwise) {
        return conditional(call(ScalarFunction::less, column, end, place), then, otherwise, 0.5, place);
    };
    Expr *body = zero;
    if (node.function == TensorFunction::token_attention_mask) {
        body = before(begins.back(), one, zero);
    } else if (node.function == TensorFunction::token_type_ids) {
        body = before(begins.size() > 1 ? begins[1] : one, zero, before(begins.back(), one, zero));
    } else {
        for (std::size_t i = sequences.size(); i-- > 0;) {
            PeekPart part{};
            part.dimension = sequences[i]->type->dimensions().front().name;
            part.expression = builder_.use(call(ScalarFunction::subtract, column, begins[i], place));
            Expr *token = builder_.peek(sequences[i], {part}, builder_.scalar_type(), span);
            body = before(ends[i], token, before(begins[i + 1], sep, body));
        }
        body = before(one, cls, body);
    }
    return builder_.generate(slot, {0, 1}, body, type, span);
}

}  // namespace tenrex::sema
