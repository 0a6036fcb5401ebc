// Values: numbers, strings, names with their meanings, `if` and `switch`.
#include <algorithm>

#include "lib/support/format.h"
#include "lib/syntax/expression_parser.h"
#include "lib/syntax/signatures.h"

namespace tenrex::syntax {

const Node *ExpressionParser::primary() {
    const std::uint32_t begin = scan_.position();
    const char c = scan_.current();
    if (has_class(c, name_start_class)) {
        return named();
    }
    if (is_digit(c)) {
        return number();
    }
    switch (c) {
        case '(': {
            scan_.advance();
            const Node *inner = expression();
            return inner != nullptr && closing(')', begin, "an operator or ')'") ? inner : nullptr;
        }
        case '"':
        case '\'':
            return string();
        case '$':
            return query_symbol();
        case '.':
            return scan_.expected("a value", is_digit(scan_.ahead(1)) ? "a number begins with a digit: 0.5" : "");
        case '*':
            return scan_.expected("a value", scan_.ahead(1) == ')' ? "count(t) counts the cells of a tensor" : "");
        case '+':
            return scan_.expected("a value", "there is no prefix '+'");
        case '[':
            return scan_.expected("a value", "a tensor looks like tensor(x[3]):[1,2,3]");
        case '{':
            return scan_.expected("a value", "a tensor looks like tensor(x{}):{a:1,b:2}");
        default:
            return scan_.expected("a value");
    }
}

const Node *ExpressionParser::number() {
    const std::uint32_t begin = scan_.position();
    double value;
    if (!scan_.number(value, java())) {
        return nullptr;
    }
    return make<NumberNode>(Kind::number, since(begin), value);
}

const Node *ExpressionParser::string() {
    const std::uint32_t begin = scan_.position();
    std::string_view value;
    if (!scan_.quoted(value, arena_)) {
        return nullptr;
    }
    return make<StringNode>(Kind::string, since(begin), value);
}

const Node *ExpressionParser::named() {
    const std::uint32_t begin = scan_.position();
    const std::string_view name = scan_.name_run();
    const std::uint32_t end = scan_.position();
    scan_.skip_space();
    const char next = scan_.current();
    if (next == '(') {
        return called(name, {begin, end}, scan_.position());
    }
    if (next == '<') {
        const Keyword &keyword = find_keyword(name);
        if (keyword.kind == Keyword::tensor_type && cell_type_follows(false)) {
            return tensor_value(begin);
        }
        const bool takes_type = keyword.tensor == TensorFunction::range || keyword.tensor == TensorFunction::diag ||
                                keyword.tensor == TensorFunction::random;
        if (keyword.kind == Keyword::tensor_function && takes_type && cell_type_follows(true)) {
            const std::string_view signature = info(keyword.tensor).signature;
            return tensor_call({name, signature, {begin, end}, scan_.position()}, keyword.tensor);
        }
    }
    scan_.move_to(end);
    if (scan_.current() != '.' && (name == "true" || name == "false")) {
        return make<NumberNode>(Kind::number, Span{begin, end}, name == "true" ? 1.0 : 0.0);
    }
    return symbol({begin, end});
}

// A name and '('. A built-in function comes first, then a function of the user, then a feature.
const Node *ExpressionParser::called(std::string_view name, Span span, std::uint32_t open) {
    const Keyword &keyword = find_keyword(name);
    const auto enter_call = [this, open] { scan_.move_to(open + 1); };
    switch (keyword.kind) {
        case Keyword::scalar_function:
            enter_call();
            return scalar_call({name, scalar_signature(keyword.scalar), span, open}, keyword.scalar);
        case Keyword::extremum:
            enter_call();
            return extremum({name, extremum_signature(keyword.tensor), span, open}, keyword);
        case Keyword::tensor_function:
            enter_call();
            return tensor_call({name, info(keyword.tensor).signature, span, open}, keyword.tensor);
        case Keyword::conditional:
            enter_call();
            return conditional({name, if_signature, span, open});
        case Keyword::switch_case:
            enter_call();
            return switch_case({name, switch_signature, span, open});
        case Keyword::tensor_type:
            return tensor_value(span.begin);
        case Keyword::truth:
            return scan_.fail(span, fmt::format("'{}' is a constant, not a function", name));
        case Keyword::none:
            break;
    }
    if (std::binary_search(options_.user_functions.begin(), options_.user_functions.end(), name)) {
        enter_call();
        return user_call({name, {}, span, open});
    }
    return feature(span, open);
}

// Whether "<celltype>" stands here and not the operator '<'. The functions that take a type are also names of features:
// "random<0.5" compares.
bool ExpressionParser::cell_type_follows(bool is_feature) {
    const std::uint32_t begin = scan_.position();
    scan_.advance();
    scan_.skip_space();
    const std::string_view word = scan_.name_run();
    const bool closed = scan_.take('>');
    scan_.skip_space();
    const bool opened = scan_.current() == '(';
    scan_.move_to(begin);
    return (closed && opened && !(is_feature && word.empty())) ||
           (!is_feature && cell_type_from_name(word).has_value());
}

const Node *ExpressionParser::conditional(const Site &site) {
    const Node *condition = argument(site);
    if (condition == nullptr || !comma(site)) {
        return nullptr;
    }
    const Node *when_true = argument(site);
    if (when_true == nullptr || !comma(site)) {
        return nullptr;
    }
    const Node *when_false = argument(site);
    if (when_false == nullptr) {
        return nullptr;
    }
    const NumberNode *likely = nullptr;
    if (scan_.take(',')) {
        likely = probability();
        if (likely == nullptr) {
            return nullptr;
        }
    }
    if (!close(site)) {
        return nullptr;
    }
    return make<IfNode>(Kind::conditional, since(site.name_span.begin), condition, when_true, when_false, likely);
}

const NumberNode *ExpressionParser::probability() {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    const bool negative = scan_.take('-');
    scan_.skip_space();
    if (!is_digit(scan_.current())) {
        return scan_.expected("a number", "the fourth argument of if is the probability of the condition");
    }
    double value;
    if (!scan_.number(value, java())) {
        return nullptr;
    }
    value = negative ? -value : value;
    if (java() && !(value >= 0 && value <= 1)) {
        return scan_.fail(since(begin), fmt::format("the probability {} is not between 0 and 1", value));
    }
    return make<NumberNode>(Kind::number, since(begin), value);
}

const Node *ExpressionParser::switch_case(const Site &site) {
    const Node *subject = argument(site);
    if (subject == nullptr || !close(site)) {
        return nullptr;
    }
    const std::string usage = fmt::format("usage: {}", site.signature);
    if (!scan_.take('{')) {
        return scan_.expected("'{' and the cases of switch", usage);
    }
    const std::uint32_t open = scan_.position() - 1;
    const std::size_t list = scratch_.mark();
    for (;;) {
        scan_.skip_space();
        const std::uint32_t begin = scan_.position();
        const std::string_view word = scan_.name_run();
        const bool last = word == "default";
        if (!last && word != "case") {
            scan_.move_to(begin);
            return scan_.at_end() ? scan_.unclosed(open) : scan_.expected("'case' or 'default'", usage);
        }
        SwitchCase entry{};
        if (!last && (entry.value = expression()) == nullptr) {
            return nullptr;
        }
        if (last && scratch_.count<SwitchCase>(list) == 0) {
            return scan_.fail(since(begin), "a switch needs at least one case", usage);
        }
        if (!closing(':', open, last ? "':' after 'default'" : "':' after the value of the case")) {
            return nullptr;
        }
        if ((entry.result = expression()) == nullptr) {
            return nullptr;
        }
        if (last) {
            if (scan_.take(',')) {
                return scan_.fail({scan_.position() - 1, scan_.position()}, "'default' is the last entry of a switch",
                                  usage);
            }
            if (!closing('}', open, "an operator or '}'")) {
                return nullptr;
            }
            return make<SwitchNode>(Kind::switch_case, since(site.name_span.begin), subject,
                                    scratch_.take<SwitchCase>(list, arena_), entry.result);
        }
        scratch_.push(entry);
        if (!scan_.take(',')) {
            scan_.skip_space();
            if (scan_.current() == '}') {
                return scan_.fail(scan_.found_span(), "the switch has no default", usage);
            }
            return scan_.at_end() ? scan_.unclosed(open) : scan_.expected("',' after the result of the case", usage);
        }
    }
}

const Node *ExpressionParser::user_call(const Site &site) {
    const std::size_t list = scratch_.mark();
    if (!scan_.take(')')) {
        do {
            const Node *value = expression();
            if (value == nullptr) {
                return nullptr;
            }
            scratch_.push(value);
        } while (scan_.take(','));
        if (!close(site)) {
            return nullptr;
        }
    }
    return make<UserCallNode>(Kind::user_call, since(site.name_span.begin), Name{site.name, site.name_span},
                              scratch_.take<const Node *>(list, arena_));
}

}  // namespace tenrex::syntax
