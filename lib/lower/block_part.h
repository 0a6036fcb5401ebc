// A part of a block, which is a view where that is possible.
#pragma once

#include <cstddef>

#include "lib/lower/context.h"
#include "lib/program/move/copy_steps.h"

namespace tenrex::lower {

// One part of the operand's block, from that cell on, with the operand's addresses or those of `index`.
Value part_of_block(Context &context, ir::NodeId operand, IndexSlot index, const ir::Node &node, program::CopyNest nest,
                    std::size_t first_cell);

}  // namespace tenrex::lower
