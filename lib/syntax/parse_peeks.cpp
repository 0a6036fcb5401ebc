// Peeks: t{x:a,y:(i+1)} and the short forms t{a} and t[i].
#include <algorithm>

#include "lib/syntax/expression_parser.h"
#include "lib/syntax/plain_label.h"

namespace tenrex::syntax {

namespace {

constexpr std::string_view peek_usage = "peeks look like t{x:label}, t{x:(i+1)}, t{label} or t[i]";

bool is_more_than_name_or_number(const Node &node) {
    return node.kind != Kind::number && (node.kind != Kind::symbol || as<SymbolNode>(node).is_call);
}

}  // namespace

// The parser stands in front of '{'.
const Node *ExpressionParser::peek(const Operand &subject) {
    const std::uint32_t open = scan_.position();
    scan_.advance();
    const std::size_t list = scratch_.mark();
    bool first = true;
    do {
        PeekEntry entry{};
        if (!peek_entry(entry, first)) {
            return nullptr;
        }
        scratch_.push(entry);
        first = false;
    } while (scan_.take(','));
    if (!scan_.take('}')) {
        if (scan_.at_end()) {
            return scan_.unclosed(open);
        }
        return scan_.expected("',' or '}' after the label", std::string(peek_usage));
    }
    doubt_.reset();
    return make<PeekNode>(Kind::peek, since(subject.extent.begin), subject.node,
                          scratch_.take<PeekEntry>(list, arena_));
}

// t[expression]; the parser stands in front of '['.
const Node *ExpressionParser::index_peek(const Operand &subject) {
    const std::uint32_t open = scan_.position();
    scan_.advance();
    PeekEntry entry{};
    entry.short_index = true;
    entry.expression = expression();
    entry.span = extent_;
    if (entry.expression == nullptr || !closing(']', open, "an operator or ']'")) {
        return nullptr;
    }
    return make<PeekNode>(Kind::peek, since(subject.extent.begin), subject.node,
                          std::span<const PeekEntry>(arena_.copy(std::span<const PeekEntry>(&entry, 1))));
}

bool ExpressionParser::peek_entry(PeekEntry &entry, bool first) {
    scan_.skip_space_before_label("}");
    const std::uint32_t begin = scan_.position();
    entry.span.begin = begin;
    entry.dimension.text = scan_.name_run();
    entry.dimension.span = since(begin);
    const bool named = !entry.dimension.text.empty() && scan_.take(':');
    if (named) {
        scan_.skip_space_before_label(",}");
    } else {
        scan_.move_to(begin);
        entry.dimension = {};
        entry.dimension.span = {begin, begin};
        if (!first || scan_.current() == ':') {
            if (doubt_) {
                scan_.replace_failure(*doubt_);
            }
            return scan_.expected("the name of a dimension", std::string(peek_usage));
        }
    }
    if (!peek_label(entry)) {
        return false;
    }
    scan_.skip_space();
    if (named) {
        return true;
    }
    if (scan_.current() == ':') {
        return scan_.fail(entry.span, "expected the name of a dimension before ':'", std::string(peek_usage));
    }
    return scan_.current() != ',' ||
           scan_.fail(entry.span, "a label without a dimension stands alone", std::string(peek_usage));
}

// A quoted label, a label, an expression, or a label that may also be meant as an expression.
bool ExpressionParser::peek_label(PeekEntry &entry) {
    const std::uint32_t begin = scan_.position();
    const char c = scan_.current();
    if (c == '"' || c == '\'') {
        Span span;
        entry.has_label = true;
        entry.quoted = true;
        if (!label({}, entry.label, span)) {
            return false;
        }
        entry.span.end = span.end;
        return true;
    }
    if (c != '(') {
        entry.label = scan_.label_run();
        const std::uint32_t end = scan_.position();
        if (entry.label.empty()) {
            return scan_.expected("a label or an expression", std::string(peek_usage));
        }
        scan_.skip_space();
        if (scan_.current() == ',' || scan_.current() == '}') {
            entry.has_label = true;
            entry.span.end = end;
            if (!is_plain_label(entry.label)) {
                scan_.move_to(begin);
                peek_expression(entry, end);
            }
            return true;
        }
        // The run is not all that stands here, so it is no label.
        entry.label = {};
        scan_.move_to(begin);
    }
    entry.expression = expression();
    entry.span.end = extent_.end;
    return entry.expression != nullptr;
}

// Tries to read a label as an expression: the same text, or a longer one such as max(i,1), which is then no label.
void ExpressionParser::peek_expression(PeekEntry &entry, std::uint32_t label_end) {
    const std::uint32_t begin = scan_.position();
    const std::size_t operators = operators_.size();
    const std::size_t operands = operands_.size();
    const std::size_t comments = scan_.comments().size();
    const std::size_t scratch = scratch_.mark();
    const std::uint32_t depth = depth_;
    const std::uint32_t chained_ins = chained_ins_;
    // A text may fool this many times, but all guesses together take linear time.
    const Node *node = guesses_ == 0 ? nullptr : expression();
    const bool ends = node != nullptr && (scan_.current() == ',' || scan_.current() == '}');
    if (ends && extent_.end > label_end) {
        entry.has_label = false;
        entry.label = {};
        entry.expression = node;
        entry.span.end = extent_.end;
        return;
    }
    if (ends && extent_.end == label_end) {
        entry.expression = is_more_than_name_or_number(*node) ? node : nullptr;
        return;
    }
    const std::uint64_t wasted = scan_.position() - begin;
    guesses_ -= std::min(wasted, guesses_);
    if (!doubt_ && scan_.failure() && entry.label.find('(') != std::string_view::npos) {
        doubt_ = scan_.failure();
    }
    scan_.forget_failure();
    scan_.comments().resize(comments);
    scratch_.drop(scratch);
    operators_.resize(operators);
    operands_.resize(operands);
    depth_ = depth;
    chained_ins_ = chained_ins;
    scan_.move_to(label_end);
}

}  // namespace tenrex::syntax
