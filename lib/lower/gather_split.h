// The indices of cells that are taken from several values, if the documents split the indexes: they are listed piece by
// piece.
#pragma once

#include "lib/lower/context.h"

namespace tenrex::lower {

CellsSlot list_pieces(Context &context, const ir::Node &node);

}  // namespace tenrex::lower
