// Text to syntax tree.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tenrex/limits.h>
#include <tenrex/result.h>

#include "lib/syntax/ast.h"

namespace tenrex::syntax {

struct ParseOptions {
    Dialect dialect = Dialect::core;
    std::span<const std::string_view> user_functions;  // names that are called like scalar functions, sorted
    Limits limits;
    // The cells of a dense literal may be one list, whatever its dimensions: tensor(x[2],y[2]):[1,2,3,4]. The Java
    // dialect has that in any case.
    bool flat_lists = false;
};

// Parses the whole text as one expression. Reports one error, the first.
Result<Ast> parse(std::string_view text, const ParseOptions &options = {});

}  // namespace tenrex::syntax
