// Contractions: which form they take.
#include "lib/ir/contraction.h"
#include "lib/lower/contract_matmul.h"
#include "lib/lower/contract_row_pairs.h"
#include "lib/lower/contract_sparse.h"
#include "lib/lower/join_reduce.h"
#include "lib/lower/operations.h"
#include "lib/program/aggregators.h"

namespace tenrex::lower {

using namespace program;

Value lower_contract(Context &context, const ir::Node &node) {
    if (node.as<ir::Contract>().is_packed || node.as<ir::Contract>().has_epilogue()) {
        return contract_product(context, node);
    }
    const auto form = ir::contraction_form(context.type(node.operands[0]), context.type(node.operands[1]),
                                           node.as<ir::Contract>().dimensions, node.as<ir::Contract>().terms);
    switch (*form) {
        case ir::ContractionForm::sparse_dot:
            return contract_sparse(context, node);
        case ir::ContractionForm::weighted_sum:
            return contract_weights(context, node);
        case ir::ContractionForm::joined_sum:
            return sum_of_joined_products(context, node);
        case ir::ContractionForm::product:
            return ir::is_vector_by_rows(context.graph(), node) && !is_sum_of_rows(context, node)
                       ? contract_rows(context, node)
                       : contract_product(context, node);
        case ir::ContractionForm::dots:
            return contract_dots(context, node);
        case ir::ContractionForm::rows:
            return contract_rows(context, node);
    }
    __builtin_unreachable();
}

}  // namespace tenrex::lower
