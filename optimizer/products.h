// Products of matrices among the contractions: which they are, and which operand has the rows.
#pragma once

#include <vector>

#include "lib/ir/graph.h"
#include "optimizer/costs.h"

namespace tenrex::optimizer {

// The rows of one operand times the columns of the other, by a kernel that is handed many of both.
bool is_product_of_matrices(const ir::Graph &graph, const ir::Node &node);
// The same where both operands have addresses, none in common, and the blocks of one are known before the documents:
// they are the columns.
bool has_shared_columns(const ir::Graph &graph, const ir::Node &node);

struct ProductOperands {
    ir::NodeId rows, columns;
};
// needed: by node, whether it has a value of its own.
ProductOperands product_operands(const ir::Graph &graph, const ir::Node &product, const std::vector<bool> &needed,
                                 const Costs *costs);

}  // namespace tenrex::optimizer
