// The definitions of a schema that an expression needs.
#pragma once

#include <string>
#include <vector>

#include <tenrex/result.h>
#include <tenrex/schema.h>

#include "lib/sema/check.h"
#include "lib/support/stable_list.h"
#include "lib/syntax/parser.h"

namespace tenrex::sema {

struct NeededDefinitions {
    std::vector<Definition> definitions;  // each after those that it uses
    StableList<syntax::Ast> trees;        // that their bodies are in
};

// The symbols that an expression needs to be declared: its free ones, and the features of the forests that it calls.
std::vector<std::string> needed_symbols(const syntax::Ast &expression, const Schema &schema);

// Those that the expression uses, and those that they use. Errors: a text that cannot be read; one that uses itself or
// one after it.
Result<NeededDefinitions> needed_definitions(const syntax::Ast &expression, const Schema &schema,
                                             const syntax::ParseOptions &options);

}  // namespace tenrex::sema
