// Parts of trees as text, shared by the printer and the dump.
#pragma once

#include <string>
#include <string_view>

#include "lib/syntax/ast.h"

namespace tenrex::syntax {

// A number that reads back to the same double; infinity is written as a number beyond the range.
void append_number_literal(std::string &out, double value);
// "<float>(x{},y[2])": a type without the word tensor, dimensions as written.
void append_type_body(std::string &out, const TypeSpec &type);
// "x,y"
void append_names(std::string &out, std::span<const Name> names);
// The label of a peek, quoted if it would not read back to the same entry otherwise.
void append_peek_label(std::string &out, const PeekEntry &entry);

}  // namespace tenrex::syntax
