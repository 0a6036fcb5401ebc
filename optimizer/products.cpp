#include "optimizer/products.h"

#include <utility>

#include "lib/ir/contraction.h"
#include "optimizer/matcher.h"

namespace tenrex::optimizer {

namespace {

std::optional<ir::ContractionForm> form_of(const ir::Graph &graph, const ir::Node &node) {
    const ir::Contract &own = node.as<ir::Contract>();
    return ir::contraction_form(*graph[node.operands[0]].type, *graph[node.operands[1]].type, own.dimensions,
                                own.terms);
}

}  // namespace

bool is_product_of_matrices(const ir::Graph &graph, const ir::Node &node) {
    // Most contractions are dot products: a look at the type is enough for them.
    return node.op == ir::Op::contract && !node.type->is_scalar() &&
           form_of(graph, node) == ir::ContractionForm::product && !ir::is_vector_by_rows(graph, node);
}

bool has_shared_columns(const ir::Graph &graph, const ir::Node &node) {
    if (!is_sum_of_products(node) || node.stage != Stage::document) {
        return false;
    }
    const ir::Node &a = graph[node.operands[0]];
    const ir::Node &b = graph[node.operands[1]];
    if (!a.type->has_mapped() || !b.type->has_mapped() || a.stage == b.stage ||
        form_of(graph, node) != ir::ContractionForm::dots) {
        return false;
    }
    const auto dimensions = *ir::contraction_dimensions(*a.type, *b.type, node.as<ir::Contract>().dimensions);
    return dimensions.mapped.batch.empty() && dimensions.mapped.summed.empty();
}

ProductOperands product_operands(const ir::Graph &graph, const ir::Node &product, const std::vector<bool> &needed,
                                 const Costs *costs) {
    ir::NodeId rows = product.operands[0];
    ir::NodeId columns = product.operands[1];
    if (product.as<ir::Contract>().has_bias || product.as<ir::Contract>().is_scaled) {
        return {rows, columns};
    }
    const auto has_addresses = [&](ir::NodeId id) { return graph[id].type->has_mapped(); };
    const bool are_dense = !has_addresses(rows) && !has_addresses(columns);
    // The side with addresses has the rows, or else the one that is known later: the other's columns are packed once.
    const bool is_later = graph[rows].stage >= graph[columns].stage;
    const bool keeps = has_addresses(rows) == has_addresses(columns) ? is_later : has_addresses(rows);
    if (!keeps) {
        std::swap(rows, columns);
    }
    // Of dense operands either may, as their order and that of the result want it; bits are unpacked as rows alone.
    const bool are_free = are_dense && needed[rows] && needed[columns] && product.stage == Stage::document;
    if (are_free && costs != nullptr &&
        costs->product(graph, product, columns, rows) < costs->product(graph, product, rows, columns)) {
        std::swap(rows, columns);
    }
    return {rows, columns};
}

}  // namespace tenrex::optimizer
