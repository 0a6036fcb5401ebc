// Contractions by kernels over pairs of rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lib/ir/contraction.h"
#include "lib/kernels/row_pairs/row_pairs_kernels.h"
#include "lib/lower/context.h"

namespace tenrex::lower {

struct RowPairOperands {
    ir::NodeId a, b;
    CellType a_type, b_type;  // to read them as
    std::size_t length;       // cells of b in a row
    kernels::RowPairChoice choice;
};
RowPairOperands row_pair_operands(Context &context, const ir::Contraction &contraction);
// A value with the summed cells side by side, as rows.
Value in_rows(Context &context, const Value &value, const TensorType &type, const std::vector<std::string> &rows,
              const std::vector<std::string> &summed);
// A dot product or distance for each block.
Value contract_dots(Context &context, const ir::Node &node);
// Pairs of rows: those of a batch one by one, all others each with each.
Value contract_rows(Context &context, const ir::Node &node);

}  // namespace tenrex::lower
