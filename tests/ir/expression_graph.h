// From an expression to its graph, as tests need it.
#pragma once

#include <string_view>
#include <vector>

#include <tenrex/schema.h>

#include "lib/ir/build.h"
#include "lib/sema/check.h"
#include "lib/sema/definitions.h"
#include "lib/syntax/parser.h"

namespace tenrex::ir {

// The graph as it is built, or an error of any phase.
inline Result<Graph> expression_graph(std::string_view text, const Schema &schema) {
    std::vector<std::string_view> functions;
    for (const UserFunction &function : schema.functions()) {
        functions.push_back(function.name);
    }
    const syntax::ParseOptions parse_options{.user_functions = functions, .limits = {}};
    const auto ast = syntax::parse(text, parse_options);
    if (!ast) {
        return ast.error();
    }
    const auto needed = sema::needed_definitions(*ast, schema, parse_options);
    if (!needed) {
        return needed.error();
    }
    sema::CheckOptions options;
    options.definitions = needed->definitions;
    const auto typed = sema::check(*ast, schema, options);
    return typed ? build(*typed) : Result<Graph>(typed.error());
}

}  // namespace tenrex::ir
