// Attention as ONNX has it since opset 23: queries, keys and values come as they are, with or without an axis of heads;
// masks, keys of the past and numbers of keys that count say who attends to whom.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lib/onnx/attended.h"
#include "lib/onnx/operators.h"

namespace tenrex::onnx {

namespace {

enum Input : std::size_t { query_input, key_input, value_input, mask_input, past_key, past_value, key_counts };
enum Output : std::size_t { present_key = 1, present_value = 2, scores_output = 3 };

// What the output of scores has in it.
enum class ScoresShown : std::uint8_t { products, capped, masked, shares };

class AttentionOperator {
public:
    explicit AttentionOperator(NodeContext &context) : context_(context) {}
    bool import();

private:
    // Behind those of the past, if there are any. Nothing: told.
    std::optional<Value> behind_past(const Value &now, std::size_t past);
    bool fits();
    // Each head of keys or values as often as heads of queries use it. Nothing: told.
    std::optional<Value> for_queries(const Value &shared);
    // What is added to scores, without which all see all. Nothing: told.
    bool add_biases();
    bool add_mask();
    void add_places();
    bool output_rest(const Value &shares);
    std::string type_name() const { return std::string(name(info(query_.type).cell_type)); }

    NodeContext &context_;
    Value query_, key_, value_;  // keys and values with those of the past
    Shape scores_;
    std::string bias_;            // a sum, or empty
    bool bias_has_rows_ = false;  // other axes than that of the keys
    bool may_see_none_ = false;   // a query may be masked from all keys
    std::optional<Value> shown_[3];
};

std::optional<Value> AttentionOperator::behind_past(const Value &now, std::size_t past) {
    if (!context_.has_input(past)) {
        return now;
    }
    const Value &before = context_.input(past);
    Shape shape = now.shape;
    if (before.rank() == 4) {
        shape[2] = before.shape[2];
    }
    if (before.shape != shape) {
        context_.fail(fmt::format("input {} of shape {} cannot come before {}", past, context_.text_of(before.shape),
                                  context_.text_of(now.shape)));
        return std::nullopt;
    }
    const auto rows = context_.sum_of_sizes(before.shape[2], now.shape[2]);
    if (!rows) {
        context_.fail_open(fmt::format("input {}", past), before.shape);
        return std::nullopt;
    }
    if (before.text.empty()) {
        return now;
    }
    shape[2] = *rows;
    return context_.part(now.type, shape, fmt::format("concat({},{},d2)", before.text, now.text));
}

bool AttentionOperator::fits() {
    const Shape &query = query_.shape;
    const Shape &key = key_.shape;
    const Shape &value = value_.shape;
    const bool are_known = !is_open(query[1]) && !is_open(key[1]) && !is_open(query[3]) && key[1] > 0 && query[3] > 0;
    if (!are_known || query[0] != key[0] || query[0] != value[0] || query[1] % key[1] != 0 || key[1] != value[1] ||
        query[3] != key[3] || key[2] != value[2]) {
        return context_.fail(fmt::format("queries of shape {}, keys of {} and values of {} do not fit each other",
                                         context_.text_of(query), context_.text_of(key), context_.text_of(value)));
    }
    if (context_.has_input(past_key) != context_.has_input(past_value)) {
        return context_.fail("it has keys of the past without their values, or values without their keys");
    }
    const Value *counts = context_.find_input(key_counts);
    if (counts != nullptr && (context_.has_input(past_key) || counts->shape != Shape{query[0]})) {
        return context_.fail("its input nonpad_kv_seqlen needs one number for each batch, and no keys of the past");
    }
    scores_ = {query[0], query[1], query[2], key[2]};
    return true;
}

std::optional<Value> AttentionOperator::for_queries(const Value &shared) {
    if (shared.shape[1] == query_.shape[1]) {
        return shared;
    }
    const std::string heads =
        fmt::format("tensor(d1[{}])(floor(d1/{}))", query_.shape[1], query_.shape[1] / shared.shape[1]);
    Shape shape = shared.shape;
    shape[1] = query_.shape[1];
    return context_.part(shared.type, shape, taken(shared, {{1, heads}}, {0, 1, 2, 3}));
}

bool AttentionOperator::add_mask() {
    // Of copies along axes those that are copied, if the keys are not among these axes.
    const Value &input = context_.input(mask_input);
    const bool is_copied = input.copied && input.copied->rank() > 0 && input.copied->shape.back() == input.shape.back();
    const Value &given = is_copied ? *input.copied : input;
    const auto fail = [&] {
        return context_.fail(fmt::format("a mask of shape {} does not fit scores of shape {}",
                                         context_.text_of(given.shape), context_.text_of(scores_)));
    };
    if (given.rank() == 0 || given.rank() > 4) {
        return fail();
    }
    const bool is_boolean = info(given.type).kind == ElementKind::boolean;
    Value mask = given;
    mask.text =
        is_boolean ? fmt::format("cell_cast(map({},f(x)(if(x,0,-1/0))),{})", given.text, type_name()) : given.text;
    std::int64_t &keys = mask.shape.back();
    if (keys != scores_[3] && !(is_open(keys) && is_open(scores_[3]))) {
        if (has_open(mask.shape) || is_open(scores_[3]) || keys > scores_[3]) {
            return fail();
        }
        Shape missing = mask.shape;
        missing.back() = scores_[3] - keys;  // which nobody sees
        mask.text = fmt::format("concat({},{},d{})", mask.text, generator(info(query_.type).cell_type, missing, "-1/0"),
                                mask.rank() - 1);
        keys = scores_[3];
    }
    const auto shape = broadcast(scores_, mask.shape);
    if (!shape || *shape != scores_) {
        return fail();
    }
    bias_ = aligned(mask, scores_);
    const std::size_t first = scores_.size() - mask.rank();
    for (std::size_t axis = 0; axis + 1 < mask.rank(); ++axis) {  // an axis of one index that is none there is gone
        bias_has_rows_ |= mask.shape[axis] != 1 || scores_[first + axis] == 1;
    }
    may_see_none_ = true;
    return true;
}

// Who sees whom by the places of both: a query stands behind the keys of the past, or is among the last that count.
void AttentionOperator::add_places() {
    const OpenSizes &sizes = context_.open_sizes();
    const bool is_causal = context_.integer("is_causal", 0) != 0;
    const std::int64_t left = context_.integer("left_window_size", -1);
    const std::int64_t right = context_.integer("right_window_size", -1);
    const std::string keys = indexes_along(scores_, 3, sizes);
    std::vector<std::string> conditions;
    const auto add = [&](bool holds, std::string condition) {
        if (holds) {
            conditions.push_back(std::move(condition));
        }
    };
    add(is_causal, "from<=to");
    add(left >= 0, fmt::format("to-from<={}", left));
    add(right >= 0, fmt::format("from-to<={}", right));
    const auto add_bias = [&](const std::string &text) { bias_ += (bias_.empty() ? "" : "+") + text; };
    if (!conditions.empty()) {
        std::string queries = indexes_along(scores_, 2, sizes);
        if (context_.has_input(past_key)) {
            queries += "+" + sizes.number(context_.input(past_key).shape[2]);
        } else if (context_.has_input(key_counts)) {
            queries += fmt::format("+{}-{}", context_.input(key_counts).text, sizes.number(scores_[2]));
        }
        add_bias(fmt::format("cell_cast(join({},{},f(to,from)(if({},0,-1/0))),{})", queries, keys,
                             fmt::join(conditions, "&&"), type_name()));
        may_see_none_ |= left >= 0 || right >= 0;
        bias_has_rows_ = true;
    }
    if (context_.has_input(key_counts)) {
        add_bias(fmt::format("cell_cast(join({},{},f(place,end)(if(place<end,0,-1/0))),{})", keys,
                             context_.input(key_counts).text, type_name()));
        may_see_none_ = true;
        bias_has_rows_ = true;
    }
}

bool AttentionOperator::add_biases() {
    if (context_.has_input(mask_input) && !add_mask()) {
        return false;
    }
    add_places();
    return true;
}

bool AttentionOperator::output_rest(const Value &shares) {
    for (const auto &[output, value] : {std::pair(present_key, &key_), std::pair(present_value, &value_)}) {
        if (context_.outputs() > output && !context_.output_value(*value)) {
            return false;
        }
    }
    if (!context_.wants_output(scores_output)) {
        return true;
    }
    const std::int64_t mode = context_.integer("qk_matmul_output_mode", 0);
    if (mode < 0 || mode > static_cast<std::int64_t>(ScoresShown::shares)) {
        return context_.fail(fmt::format("there is no kind {} of scores as an output", mode));
    }
    return context_.output_value(
        mode == static_cast<std::int64_t>(ScoresShown::shares) ? shares : *shown_[static_cast<std::size_t>(mode)]);
}

bool AttentionOperator::import() {
    for (const auto &[heads, input, attribute] :
         {std::tuple(&query_, query_input, "q_num_heads"), std::tuple(&key_, key_input, "kv_num_heads"),
          std::tuple(&value_, value_input, "kv_num_heads")}) {
        auto with = with_heads(context_, input, attribute);
        if (!with) {
            return false;
        }
        *heads = *std::move(with);
    }
    auto keys = behind_past(key_, past_key);
    auto values = keys ? behind_past(value_, past_value) : std::nullopt;
    if (!values) {
        return false;
    }
    key_ = *std::move(keys);
    value_ = *std::move(values);
    if (!fits() || !add_biases()) {
        return false;
    }
    const auto key = for_queries(key_);
    const auto value = key ? for_queries(value_) : std::nullopt;
    if (!value) {
        return false;
    }
    count_attention(context_, scores_, query_.shape[3], value->shape[3]);
    const double given = context_.real("scale", 0);
    const double factor = given != 0 ? given : 1 / std::sqrt(static_cast<double>(query_.shape[3]));
    const double cap = context_.real("softcap", 0);
    const auto score_text = [&](std::size_t shown) { return shown_[shown]->text; };
    shown_[0] = context_.part(query_.type, scores_,
                              fmt::format("{}*{}", products_of_heads(context_, query_, *key), number_text(factor)));
    shown_[1] = shown_[0] && cap > 0 ? context_.part(query_.type, scores_,
                                                     fmt::format("tanh({0}/{1})*{1}", score_text(0), number_text(cap)))
                                     : shown_[0];
    shown_[2] = shown_[1] && !bias_.empty()
                    ? context_.part(query_.type, scores_, fmt::format("{}+{}", score_text(1), bias_))
                    : shown_[1];
    const auto shares = shown_[2] ? shares_of(context_, *shown_[2]) : std::nullopt;
    const auto mixed = shares ? mixed_by(context_, *shares, *value) : std::nullopt;
    // A query that sees no key has nothing, rather than NaN. As numbers of the type of the rows, the choice is one of
    // these.
    const auto or_zeros = [&](const Value &rows) {
        const std::string sees_none = fmt::format("(reduce({},max,d3)==-1/0)", bias_);
        return may_see_none_
                   ? context_.part(rows.type, rows.shape,
                                   fmt::format("join({},{},f(x,none)(if(none,0,x)))", rows.text,
                                               bias_has_rows_ ? fmt::format("cell_cast({},{})", sees_none, type_name())
                                                              : sees_none))
                   : std::optional(rows);
    };
    const auto attended = mixed ? or_zeros(*mixed) : std::nullopt;
    if (!attended) {
        return false;
    }
    const bool is_joined = context_.input(query_input).rank() == 3;
    const Shape joined{scores_[0], scores_[2], attended->shape[1] * attended->shape[3]};
    if (!(is_joined ? context_.output(attended->type, joined, joined_heads(*attended))
                    : context_.output_value(*attended))) {
        return false;
    }
    const auto shown = context_.wants_output(scores_output) ? or_zeros(*shares) : shares;
    return shown && output_rest(*shown);
}

}  // namespace

bool import_attention(NodeContext &context) {
    return AttentionOperator(context).import();
}

}  // namespace tenrex::onnx
