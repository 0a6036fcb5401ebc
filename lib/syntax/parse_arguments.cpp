// The arguments of calls: commas, parentheses, names, lambdas.

#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/syntax/expression_parser.h"
#include "lib/syntax/value_habits.h"

namespace tenrex::syntax {

namespace {

std::string plural(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

template <class Table>
std::vector<std::string_view> names_of(const Table &table) {
    std::vector<std::string_view> names;
    for (const auto &entry : table) {
        names.push_back(entry.name);
    }
    return names;
}

// "did you mean 'sum'?", or the list of what is possible.
std::string suggestion(std::string_view name, std::span<const std::string_view> candidates, std::string_view what) {
    const std::string_view near = nearest(name, candidates);
    return near.empty() ? fmt::format("{} {}", what, fmt::join(candidates, ", "))
                        : fmt::format("did you mean '{}'?", near);
}

}  // namespace

std::string ExpressionParser::Site::usage() const {
    // The signatures of scalar functions leave the name out.
    const std::string_view left_out = signature.starts_with('(') ? name : std::string_view();
    return signature.empty() ? std::string() : fmt::format("usage: {}{}", left_out, signature);
}

// An expression as an argument; the parser stands behind '(' or ','.
const Node *ExpressionParser::argument(const Site &site) {
    scan_.skip_space();
    if (scan_.current() == ')') {
        return too_few(site);
    }
    return expression();
}

// The comma before an argument that must be there.
bool ExpressionParser::comma(const Site &site) {
    if (scan_.take(',')) {
        return true;
    }
    if (scan_.at_end()) {
        return scan_.unclosed(site.open);
    }
    return scan_.current() == ')' ? too_few(site)
                                  : scan_.expected(fmt::format("',' in the arguments of {}", site.name), site.usage());
}

// The parenthesis behind the last argument.
bool ExpressionParser::close(const Site &site) {
    if (scan_.take(')')) {
        return true;
    }
    if (scan_.at_end()) {
        return scan_.unclosed(site.open);
    }
    return scan_.current() == ','
               ? too_many(site)
               : scan_.expected(fmt::format("')' after the arguments of {}", site.name), site.usage());
}

// Whether another argument follows, or the closing parenthesis.
bool ExpressionParser::more(const Site &site, bool &another) {
    another = scan_.take(',');
    if (another || scan_.take(')')) {
        return true;
    }
    return scan_.at_end()
               ? scan_.unclosed(site.open)
               : scan_.expected(fmt::format("',' or ')' in the arguments of {}", site.name), value_hint(site));
}

Failed ExpressionParser::too_few(const Site &site) {
    return scan_.fail({site.name_span.begin, scan_.position() + 1}, fmt::format("{} needs more arguments", site.name),
                      site.usage());
}

Failed ExpressionParser::too_many(const Site &site) {
    return scan_.fail(scan_.found_span(), fmt::format("too many arguments for {}", site.name), site.usage());
}

// A dimension, or several in parentheses.
bool ExpressionParser::dimension_list(const Site &site, std::span<const Name> &names) {
    const std::size_t list = scratch_.mark();
    Name name;
    if (scan_.take('(')) {
        const std::uint32_t open = scan_.position() - 1;
        do {
            if (!dimension(site, name)) {
                return false;
            }
            scratch_.push(name);
        } while (scan_.take(','));
        if (!closing(')', open, "',' or ')' in the list of dimensions")) {
            return false;
        }
    } else {
        if (!dimension(site, name)) {
            return false;
        }
        scratch_.push(name);
    }
    names = scratch_.take<Name>(list, arena_);
    return true;
}

bool ExpressionParser::dimension(const Site &site, Name &name) {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    name.text = scan_.name_run();
    name.span = since(begin);
    if (!is_name(name.text)) {
        scan_.move_to(begin);
        return scan_.expected("the name of a dimension", value_hint(site));
    }
    return true;
}

std::string ExpressionParser::value_hint(const Site &site) {
    scan_.skip_space();
    const char c = scan_.current();
    const bool is_value = std::string_view("(.\"'$+-*/").find(c) != std::string_view::npos;
    const std::string_view meant = is_value ? hint_of_values(site.name, true) : std::string_view();
    return meant.empty() ? site.usage() : std::string(meant);
}

bool ExpressionParser::aggregator(const Site &site, Aggregator &value) {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    const std::string_view word = scan_.name_run();
    if (word.empty()) {
        return scan_.expected("an aggregator", site.usage());
    }
    const auto known = aggregator_from_name(word);
    if (!known) {
        return scan_.fail(since(begin), fmt::format("unknown aggregator '{}'", word),
                          suggestion(word, names_of(aggregator_table), "the aggregators are"));
    }
    value = *known;
    return true;
}

bool ExpressionParser::cell_type_argument(const Site &site, CellType &value) {
    scan_.skip_space();
    if (!has_class(scan_.current(), name_class)) {
        return scan_.expected("a cell type", site.usage());
    }
    return cell_type(value);
}

// One of two words; `yes` makes the value true.
bool ExpressionParser::choice(const Site &site, std::string_view no, std::string_view yes, bool &value) {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    const std::string_view word = scan_.name_run();
    value = word == yes;
    if (word == no || word == yes) {
        return true;
    }
    scan_.move_to(begin);
    return scan_.expected(fmt::format("'{}' or '{}'", no, yes), site.usage());
}

// f(a,b)(body)
const Lambda *ExpressionParser::lambda(const Site &site, std::size_t parameters) {
    scan_.skip_space();
    const std::uint32_t begin = scan_.position();
    if (scan_.name_run() != "f" || !scan_.take('(')) {
        scan_.move_to(begin);
        return scan_.expected(parameters == 1 ? "a function f(x)(...)" : "a function f(x,y)(...)", site.usage());
    }
    std::span<const Name> names;
    if (!lambda_parameters(site, names)) {
        return nullptr;
    }
    if (names.size() != parameters) {
        return scan_.fail(since(begin),
                          fmt::format("{} needs a function of {}, this one has {}", site.name,
                                      plural(parameters, "parameter"), names.size()),
                          site.usage());
    }
    if (names.size() == 2 && names[0].text == names[1].text) {
        return scan_.fail(names[1].span, fmt::format("parameter '{}' is named twice", names[1].text));
    }
    if (!scan_.take('(')) {
        return scan_.expected("'(' and the body of the function", site.usage());
    }
    const std::uint32_t open = scan_.position() - 1;
    const Node *body = expression();
    if (body == nullptr || !closing(')', open, "an operator or ')'")) {
        return nullptr;
    }
    return arena_.make<Lambda>(since(begin), names, body);
}

// The parser stands behind '('.
bool ExpressionParser::lambda_parameters(const Site &site, std::span<const Name> &names) {
    const std::uint32_t open = scan_.position() - 1;
    const std::size_t list = scratch_.mark();
    if (scan_.take(')')) {
        return true;
    }
    do {
        scan_.skip_space();
        const std::uint32_t begin = scan_.position();
        if (!has_class(scan_.current(), name_start_class)) {
            return scan_.expected("the name of a parameter", site.usage());
        }
        scratch_.push(Name{scan_.name_run(), since(begin)});
    } while (scan_.take(','));
    if (!closing(')', open, "',' or ')' in the list of parameters")) {
        return false;
    }
    names = scratch_.take<Name>(list, arena_);
    return true;
}

}  // namespace tenrex::syntax
