// The blocks of two nodes with the labels that both have.
#pragma once

#include "lib/lower/context.h"
#include "lib/program/sparse/matches.h"

namespace tenrex::lower {

program::Matcher matcher_of(Context &context, ir::NodeId outer, ir::NodeId inner);

}  // namespace tenrex::lower
