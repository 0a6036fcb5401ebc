// A row of a table of texts with their printed forms, and what printing them in a dialect gives.
#pragma once

#include <string>
#include <string_view>

#include "lib/syntax/parser.h"
#include "lib/syntax/printer.h"

namespace tenrex::syntax {

inline constexpr std::string_view user_functions[] = {"blend", "clamp"};

inline Result<Ast> parse_in(Dialect dialect, std::string_view text) {
    ParseOptions options;
    options.dialect = dialect;
    options.user_functions = user_functions;
    return parse(text, options);
}

inline std::string printed(Dialect dialect, std::string_view text) {
    const auto ast = parse_in(dialect, text);
    if (!ast) {
        return "error: " + ast.error().message();
    }
    const std::string result = to_string(*ast, {dialect, false});
    const auto again = parse_in(dialect, result);
    if (!again) {
        return "not parsed again: " + result + ": " + again.error().message();
    }
    return equal(ast->root(), again->root()) ? result : "not equal when parsed again: " + result;
}

struct Row {
    const char *text;
    const char *core;
    const char *java = nullptr;  // null: as in core
};

}  // namespace tenrex::syntax
