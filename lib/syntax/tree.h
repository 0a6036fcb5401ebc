// What code that walks any tree needs to know about its nodes.
#pragma once

#include <vector>

#include "lib/syntax/ast.h"

namespace tenrex::syntax {

// The first operand of a binary operator, of `in` or of a peek: such chains may be longer than the stack is deep. Null
// for all other nodes.
const Node *left_operand(const Node &node) noexcept;

// Whether the node is a name without arguments and output, as a parameter or a dimension is.
bool is_plain_name(const Node &node) noexcept;

// Whether the node is an operator with two operands (not a function, not `in`).
bool is_infix(const Node &node) noexcept;

// Appends all child nodes in the order of the text.
void append_children(const Node &node, std::vector<const Node *> &children);

}  // namespace tenrex::syntax
