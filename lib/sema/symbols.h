// The free symbols of an expression: what a schema must declare for it.
#pragma once

#include <string>
#include <vector>

#include <tenrex/issue.h>

#include "lib/syntax/ast.h"

namespace tenrex::sema {

struct FreeSymbol {
    std::string name;  // as the schema would call it: white space removed, "$q" written as "query(q)"
    Span first_use;
    // It occurs only where types decide whether it is a symbol: d in max(t,d) may be a dimension of t, and i in
    // t{x:i+1} may be part of a label.
    bool maybe;
};

// In the order of first use. What is written inside a lambda is no free symbol: a lambda sees only its own parameters.
// Nor are the dimensions of a generator inside it.
std::vector<FreeSymbol> free_symbols(const syntax::Ast &ast);

}  // namespace tenrex::sema
