// Operators: precedence, prefixes, `in`.
#include <algorithm>
#include <iterator>

#include <tenrex/language.h>

#include "lib/support/format.h"
#include "lib/syntax/expression_parser.h"
#include "lib/syntax/same_word.h"

namespace tenrex::syntax {

namespace {

// In the core dialect `in` first applies the pending operators that bind at least as tight as a comparison.
constexpr std::uint8_t in_precedence = info(ScalarFunction::equal).precedence;

struct WordHint {
    std::string_view word;
    std::string_view hint;
};
// What stands in the place of an operator, sorted. Of words the case makes no difference.
constexpr WordHint word_hints[] = {
    {"?", "write if(condition, a, b)"},
    {"@", "write matmul(a, b, dimension), or sum(a*b, dimension)"},
    {"and", "did you mean '&&'?"},
    {"between", "write a >= low && a <= high"},
    {"div", "did you mean '/'?"},
    {"eq", "did you mean '=='?"},
    {"if", "write if(condition, a, b)"},
    {"in", "did you mean 'in'?"},
    {"is", "write a == b; a number that is not there is NaN: isNan(a) finds it"},
    {"like", "texts can be compared with ==, != and in"},
    {"mod", "did you mean '%'?"},
    {"not", "write !(a in [...])"},
    {"or", "did you mean '||'?"},
};

// Operators of other languages, longer ones before those that they begin with.
constexpr WordHint foreign_operators[] = {
    {"<->", "write euclidean_distance(a, b, dimension)"},
    {"<=>", "write 1-cosine_similarity(a, b, dimension) for the distance"},
    {"<#>", "write sum(a*b, dimension) for the dot product"},
    {"<+>", "write sum(abs(a-b), dimension)"},
    {"<~>", "write sum(hamming(a, b), dimension) of int8 cells that hold bits"},
    {"===", "did you mean '=='?"},
    {"!==", "did you mean '!='?"},
    {"=<", "did you mean '<='?"},
    {"=>", "did you mean '>='?"},
    {"=~", "did you mean '~='?"},
    {"=", "did you mean '=='?"},
    {"&", "did you mean '&&'?"},
    {"|", "did you mean '||'?"},
    {"~", "did you mean '~='?"},
    {"!", "did you mean '!='?"},
    {"**", "did you mean '^'?"},
    {"<>", "did you mean '!='?"},
    {"//", "did you mean '/'?"},
};

// Null if the text begins with none.
const WordHint *foreign_operator(std::string_view text) noexcept {
    const auto *const found = std::find_if(std::begin(foreign_operators), std::end(foreign_operators),
                                           [&](const WordHint &entry) { return text.starts_with(entry.word); });
    return found == std::end(foreign_operators) ? nullptr : found;
}

}  // namespace

const Node *ExpressionParser::expression() {
    if (!enter()) {
        return nullptr;
    }
    const std::size_t first = operators_.size();
    for (;;) {
        if (!operand()) {
            return nullptr;
        }
        Operator found;
        Next next = next_operator(found);
        while (next == Next::in_set) {
            if (!in_set(first)) {
                return nullptr;
            }
            next = next_operator(found);
        }
        if (next != Next::infix) {
            if (next == Next::failed) {
                return nullptr;
            }
            break;
        }
        while (operators_.size() > first && (operators_.back().precedence > found.precedence ||
                                             (operators_.back().precedence == found.precedence && !found.right))) {
            apply_operator();
        }
        if (!push_operator(found)) {
            return nullptr;
        }
    }
    while (operators_.size() > first) {
        apply_operator();
    }
    const Operand result = operands_.back();
    operands_.pop_back();
    extent_ = result.extent;
    leave();
    return result.node;
}

// Pushes one operand: prefix operators, a value, peeks.
bool ExpressionParser::operand() {
    const std::size_t first = operators_.size();
    const Node *node;
    std::uint32_t begin;
    for (;;) {
        scan_.skip_space();
        begin = scan_.position();
        const char c = scan_.current();
        if (c != '-' && c != '!') {
            node = primary();
            break;
        }
        scan_.advance();
        if (c == '-') {
            scan_.skip_space();
            if (is_digit(scan_.current())) {
                node = negated_number(begin);
                break;
            }
        }
        const ScalarFunction function = c == '-' ? ScalarFunction::negate : ScalarFunction::logical_not;
        if (!push_operator({function, info(function).precedence, true, {begin, begin + 1}})) {
            return false;
        }
    }
    if (node == nullptr) {
        return false;
    }
    Operand result{node, since(begin), false};
    while (operators_.size() > first) {
        const Operator prefix = operators_.back();
        operators_.pop_back();
        result.extent.begin = prefix.span.begin;
        result.node = make<CallNode>(Kind::call, result.extent, prefix.function, prefix.span, node_list({result.node}));
    }
    for (;;) {
        scan_.skip_space();
        const char c = scan_.current();
        if (c != '{' && c != '[') {
            break;
        }
        result.node = c == '{' ? peek(result) : index_peek(result);
        if (result.node == nullptr) {
            return false;
        }
        result.extent.end = scan_.position();
    }
    if (nodes_ > options_.limits.nodes) {
        return scan_.fail(result.extent, fmt::format("the expression has more than {} parts", options_.limits.nodes),
                          "the limit is called nodes");
    }
    operands_.push_back(result);
    return true;
}

const Node *ExpressionParser::negated_number(std::uint32_t begin) {
    double value;
    if (!scan_.number(value, java())) {
        return nullptr;
    }
    return make<NumberNode>(Kind::number, since(begin), -value);
}

ExpressionParser::Next ExpressionParser::next_operator(Operator &found) {
    scan_.skip_space();
    const char second = scan_.ahead(1);
    switch (scan_.current()) {
        case '+':
            return infix(found, ScalarFunction::add, 1);
        case '-':
            return infix(found, ScalarFunction::subtract, 1);
        case '*':
            return second == '*' ? bad_operator() : infix(found, ScalarFunction::multiply, 1);
        case '/':
            return second == '/' ? bad_operator() : infix(found, ScalarFunction::divide, 1);
        case '%':
            return infix(found, ScalarFunction::modulo, 1);
        case '^':
            return infix(found, ScalarFunction::power, 1);
        case '<':
            if (scan_.ahead(2) == '>' && std::string_view("-=#+~").find(second) != std::string_view::npos) {
                return bad_operator();  // a<->b: no value begins with what stands behind the first two characters
            }
            return second == '=' ? infix(found, ScalarFunction::less_equal, 2)
                                 : (second == '>' ? bad_operator() : infix(found, ScalarFunction::less, 1));
        case '>':
            return second == '=' ? infix(found, ScalarFunction::greater_equal, 2)
                                 : infix(found, ScalarFunction::greater, 1);
        case '=':
            return second == '=' && scan_.ahead(2) != '=' ? infix(found, ScalarFunction::equal, 2) : bad_operator();
        case '!':
            return second == '=' && scan_.ahead(2) != '=' ? infix(found, ScalarFunction::not_equal, 2) : bad_operator();
        case '~':
            return second == '=' ? infix(found, ScalarFunction::approx_equal, 2) : bad_operator();
        case '&':
            return second == '&' ? infix(found, ScalarFunction::logical_and, 2) : bad_operator();
        case '|':
            return second == '|' ? infix(found, ScalarFunction::logical_or, 2) : bad_operator();
        case 'i':
            return second == 'n' && !has_class(scan_.ahead(2), name_class) ? Next::in_set : bad_operator();
        case ')':
        case ']':
        case '}':
        case ',':
        case ':':
            return Next::end;
        default:
            return scan_.at_end() ? Next::end : bad_operator();
    }
}

ExpressionParser::Next ExpressionParser::infix(Operator &found, ScalarFunction function, std::uint32_t length) {
    const ScalarFunctionInfo &facts = info(function);
    const std::uint32_t begin = scan_.position();
    scan_.advance(length);
    found = {function,
             java() ? facts.java_precedence : facts.precedence,
             function == ScalarFunction::power,
             {begin, begin + length}};
    return Next::infix;
}

// Something stands behind a value that is no operator and ends no value.
ExpressionParser::Next ExpressionParser::bad_operator() {
    const std::uint32_t begin = scan_.position();
    if (const WordHint *foreign = foreign_operator(scan_.text().substr(begin))) {
        scan_.fail({begin, begin + static_cast<std::uint32_t>(foreign->word.size())},
                   fmt::format("'{}' is not an operator", foreign->word), std::string(foreign->hint));
        return Next::failed;
    }
    std::string hint;
    const Node *before = operands_.back().node;
    const bool is_name = before->kind == Kind::symbol;
    if (is_name && as<SymbolNode>(*before).is_call && as<SymbolNode>(*before).base == "f" && scan_.current() == '(') {
        hint = "a function f(x)(...) can only be an argument of map, join, merge, map_subspaces or filter_subspaces";
    } else if (is_name && !as<SymbolNode>(*before).output.empty() && scan_.current() == '(') {
        hint = fmt::format("functions have plain names and stand in front: {}(a)", as<SymbolNode>(*before).output);
    } else if (is_name && !as<SymbolNode>(*before).is_call && !instead_of(as<SymbolNode>(*before).text).empty()) {
        hint = instead_of(as<SymbolNode>(*before).text);
    } else if (before->kind == Kind::peek && scan_.current() == '.' &&
               as<PeekNode>(*before).subject->kind == Kind::symbol) {
        hint = instead_of(as<SymbolNode>(*as<PeekNode>(*before).subject).text);  // doc['price'].value
    } else if (is_name && find_keyword(as<SymbolNode>(*before).text).kind != Keyword::none) {
        hint = fmt::format("did you mean {}(...)?", as<SymbolNode>(*before).text);
    } else {
        const Span span = scan_.found_span();
        for (const WordHint &entry : word_hints) {
            if (same_word(scan_.text(span.begin, span.end), entry.word)) {
                hint = entry.hint;
            }
        }
    }
    scan_.expected("an operator", std::move(hint));
    return Next::failed;
}

bool ExpressionParser::push_operator(Operator pending) {
    if (operators_.size() + depth_ > options_.limits.nesting) {
        return scan_.fail(pending.span, fmt::format("operators nested more than {} deep", options_.limits.nesting),
                          "the limit is called nesting");
    }
    operators_.push_back(pending);
    return true;
}

// Replaces the two operands on top by the result of the operator on top.
void ExpressionParser::apply_operator() {
    const Operator infix = operators_.back();
    operators_.pop_back();
    const Operand right = operands_.back();
    operands_.pop_back();
    Operand &left = operands_.back();
    left.extent.end = right.extent.end;
    left.node = make<CallNode>(Kind::call, left.extent, infix.function, infix.span, node_list({left.node, right.node}));
}

bool ExpressionParser::in_set(std::size_t first_operator) {
    while (operators_.size() > first_operator && (java() || operators_.back().precedence >= in_precedence)) {
        apply_operator();
    }
    // The chain leans to the left, but code that walks the tree recurses here.
    if (operands_.back().holds_in && ++chained_ins_ + depth_ > options_.limits.nesting) {
        return scan_.fail(operands_.back().extent,
                          fmt::format("'in' applied to its own result more than {} times", options_.limits.nesting),
                          "the limit is called nesting");
    }
    scan_.advance(2);
    if (!scan_.take('[')) {
        return scan_.expected("'[' after 'in'", "a set looks like [1,2,3]");
    }
    const std::uint32_t open = scan_.position() - 1;
    const std::size_t list = scratch_.mark();
    if (!scan_.take(']')) {
        do {
            const Node *entry = java() ? expression() : constant();
            if (entry == nullptr) {
                return false;
            }
            scratch_.push(entry);
        } while (scan_.take(','));
        if (!closing(']', open, "',' or ']' in the set")) {
            return false;
        }
    }
    Operand &subject = operands_.back();
    subject.extent.end = scan_.position();
    subject.holds_in = true;
    subject.node = make<InNode>(Kind::in_set, subject.extent, subject.node, scratch_.take<const Node *>(list, arena_));
    return true;
}

// A number, perhaps negated, or a string.
const Node *ExpressionParser::constant() {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    bool negative = false;
    while (scan_.take('-')) {
        negative = !negative;
    }
    scan_.skip_space();
    const std::uint32_t at = scan_.position();
    const char c = scan_.current();
    double value;
    if (is_digit(c)) {
        if (!scan_.number(value, java())) {
            return nullptr;
        }
    } else if ((c == '"' || c == '\'') && at == begin) {
        return string();
    } else {
        const std::string_view word = scan_.name_run();
        if (word != "true" && word != "false") {
            scan_.move_to(at);
            return scan_.expected("a number or a string", "the entries of 'in [...]' are constants");
        }
        value = word == "true" ? 1 : 0;
    }
    return make<NumberNode>(Kind::number, since(begin), negative ? -value : value);
}

bool ExpressionParser::enter() {
    if (depth_ + operators_.size() > options_.limits.nesting) {
        scan_.skip_space();
        return scan_.fail(scan_.found_span(),
                          fmt::format("expressions nested more than {} deep", options_.limits.nesting),
                          "the limit is called nesting");
    }
    ++depth_;
    return true;
}

bool ExpressionParser::closing(char c, std::uint32_t open, std::string_view expected) {
    if (scan_.take(c)) {
        return true;
    }
    return scan_.at_end() ? scan_.unclosed(open) : scan_.expected(expected);
}

}  // namespace tenrex::syntax
