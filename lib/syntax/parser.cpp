#include "lib/syntax/parser.h"

#include <algorithm>
#include <limits>

#include "lib/support/diagnostics.h"
#include "lib/support/format.h"
#include "lib/syntax/expression_parser.h"

namespace tenrex::syntax {

ExpressionParser::ExpressionParser(std::string_view text, const ParseOptions &options)
    : options_(options), scan_(text), guesses_(4 * std::uint64_t{text.size()} + 65536) {}

const Node *ExpressionParser::parse() {
    scan_.skip_space();
    if (scan_.at_end()) {
        return scan_.expected("an expression");
    }
    const Node *root = expression();
    if (root == nullptr || scan_.at_end()) {
        return root;
    }
    const char c = scan_.current();
    if (c == ')' || c == ']' || c == '}') {
        return scan_.fail(scan_.found_span(), fmt::format("'{}' closes nothing", c));
    }
    const std::uint32_t at = scan_.position();
    const bool is_decimal_comma = c == ',' && is_digit(scan_.ahead(1)) && is_digit(scan_.text()[at - 1]);
    return scan_.expected("an operator or the end of the text",
                          is_decimal_comma ? "the decimal sign is a point: 1.5" : "");
}

Result<Ast> parse(std::string_view text, const ParseOptions &options) {
    const std::uint64_t most = std::min<std::uint64_t>(options.limits.expression_bytes,
                                                       std::numeric_limits<std::uint32_t>::max() - std::uint64_t{16});
    if (text.size() > most) {
        return Error(fmt::format("the expression has {} bytes, more than {}", text.size(), most),
                     "the limit is called expression_bytes");
    }
    auto source = std::make_shared<const std::string>(text);
    ExpressionParser parser(*source, options);
    const Node *root = parser.parse();
    if (root == nullptr) {
        Diagnostics diagnostics(*source, options.limits);
        const Failure &failure = *parser.failure();
        if (failure.at_end) {
            diagnostics.error_at_end(failure.message, failure.hint);
        } else {
            diagnostics.error(failure.span, failure.message, failure.hint);
        }
        return diagnostics.take_error();
    }
    return Ast(std::move(source), std::move(parser.arena()), root, std::move(parser.comments()), options.dialect);
}

}  // namespace tenrex::syntax
