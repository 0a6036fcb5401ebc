// The rule of each operation: which steps compute a node, with which kernels, and where its value is then. The values
// of its operands are there; a rule looks at its own node alone. Each is in the source that has the operation's name.
#pragma once

#include "lib/lower/context.h"

namespace tenrex::lower {

#define TENREX_OP(id, name, least, most, payload, traits, summary) \
    Value lower_##id(Context &context, const ir::Node &node);
#include "lib/ir/ops.def"

}  // namespace tenrex::lower
