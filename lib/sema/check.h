// Syntax tree to typed tree: resolves symbols, checks types, expands surface forms into primitives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tenrex/limits.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>

#include "lib/sema/typed_ast.h"
#include "lib/syntax/ast.h"

namespace tenrex::sema {

// A symbol that stands for an expression, such as a function of a rank profile. Each is checked once, however often it
// is used, and sees neither lambdas nor generators around its uses.
struct Definition {
    std::string_view name;
    const syntax::Node *body;
    // The text of the body if it is another one than that of the expression: its mistakes are told with this text, and
    // its nodes have no place in the expression. Null: it is the same.
    const std::string *source = nullptr;
};

struct CheckOptions {
    std::uint64_t seed = 0;  // of random(...)
    Limits limits;
    // Each uses only those before it. They come before inputs of the same name; all of them are part of the tree.
    std::span<const Definition> definitions = {};
    // What to do about a name that means nothing.
    std::string_view unknown_name_hint = "declare it in the schema";
    // Inputs that nobody declared and that are taken for numbers, and what to do if they are none.
    std::span<const std::string> assumed_numbers = {};
    std::string_view assumed_number_hint = {};
};

// Reports all issues of the expression, or those of the schema if it has any. The tree must come from the parser, which
// has seen to its form: numbers of arguments and of lambda parameters, types as written, shape and addresses of
// literals.
//
// The dialect is that of the tree: in the Java dialect a mapped dimension may join an indexed one, branches of `if` may
// differ in cell type and in which dimensions are mapped, concat takes the smaller of unequal other dimensions, merge
// takes indexed vectors of different length.
Result<TypedExpression> check(const syntax::Ast &ast, const Schema &schema, const CheckOptions &options = {});

}  // namespace tenrex::sema
