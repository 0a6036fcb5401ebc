// The command `:bench`: how fast an expression is with the values that the inputs of a session have.
#pragma once

#include <cstddef>
#include <string_view>

#include "tools/repl/session.h"

namespace tenrex::tool {

// text: the whole input; begin: where the expression begins in it. query(...) comes with the query, other inputs with
// the documents, which all have the same values.
Reply bench_expression(const Session &session, std::string_view text, std::size_t begin);

}  // namespace tenrex::tool
