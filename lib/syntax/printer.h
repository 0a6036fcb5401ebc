// Syntax tree to text.
#pragma once

#include <string>

#include "lib/syntax/ast.h"

namespace tenrex::syntax {

struct PrintOptions {
    Dialect dialect = Dialect::core;  // for which parser the text is meant
    bool comments = false;            // comments stand on lines of their own before the expression
};

// Text with few parentheses that parses to an equal tree.
std::string to_string(const Ast &ast, const PrintOptions &options = {});
std::string to_string(const Node &node, const PrintOptions &options = {});

// The tree itself, one node a line, indented, with spans: for `:ast` and for debugging.
std::string dump(const Ast &ast);

// Same structure, names, numbers (bit for bit) and labels; spans and comments do not matter.
bool equal(const Node &a, const Node &b);

}  // namespace tenrex::syntax
