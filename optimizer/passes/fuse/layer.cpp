// A layer of a neural net: a product of matrices takes a row that is added to each of its rows, and a relu or gelu, as
// its epilogue. The row comes with the query at the latest.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/types/block_layout.h"
#include "optimizer/gelu.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

namespace {

// These and no others; they come in the type's order.
bool has_dimensions(const TensorType &type, const std::vector<std::string> &names) {
    return std::equal(names.begin(), names.end(), type.dimensions().begin(), type.dimensions().end(),
                      [](const std::string &name, const Dimension &dimension) { return name == dimension.name; });
}

// What documents bring is there for each of them, unless the result is there before.
bool is_shared(const ir::Node &operand, const ir::Node &result) {
    return operand.stage < Stage::document || result.stage < Stage::document;
}

// Whether the node is a product of matrices with the cells that its reader has.
bool is_product(const Patterns &patterns, ir::NodeId id, const ir::Node &reader) {
    const ir::Node &node = patterns[id];
    if (node.op != ir::Op::contract || node.stage != reader.stage || *node.type != *reader.type) {
        return false;
    }
    const ir::Contract &own = node.as<ir::Contract>();
    const TensorType &a = patterns.type(node.operands[0]);
    const TensorType &b = patterns.type(node.operands[1]);
    if (ir::contraction_form(a, b, own.dimensions, own.terms) != ir::ContractionForm::product ||
        ir::is_vector_by_rows(patterns.graph(), node)) {
        return false;
    }
    if (own.activation != ir::Activation::none) {
        return false;
    }
    // Or the cells are rounded once more before they are read; those that are scaled are float by then.
    const std::size_t k = cells_of(a, ir::contraction_dimensions(a, b, own.dimensions)->indexed.summed);
    return own.is_scaled || ir::multiplied_in(a.cell_type(), b.cell_type(), k) == node.type->cell_type();
}

Fused layer(const ir::Node &product, std::vector<ir::NodeId> operands, ir::Activation activation) {
    ir::Contract contract = product.as<ir::Contract>();
    contract.has_bias = contract.has_bias || operands.size() > product.operands.size();
    contract.activation = activation;
    return {ir::Op::contract, std::move(operands), std::move(contract)};
}

// A sum of a product and a bias.
std::optional<Fused> with_bias(const Patterns &patterns, ir::NodeId id, ir::Activation activation) {
    const ir::Node &sum = patterns[id];
    if (!applies(sum, ScalarFunction::add)) {
        return std::nullopt;
    }
    for (const auto &[product_id, bias] : either_order(sum.operands)) {
        if (!is_product(patterns, product_id, sum) || patterns[product_id].as<ir::Contract>().has_epilogue()) {
            continue;
        }
        if (patterns.uses(product_id) != 1) {
            patterns.refuse(id, "something else reads the product without its bias");
            continue;
        }
        if (!is_shared(patterns[bias], sum)) {
            patterns.refuse(id, "each document has a bias of its own");
            continue;
        }
        const ir::Node &product = patterns[product_id];
        for (const auto &[rows, columns] : either_order(product.operands)) {
            const TensorType &a = patterns.type(rows);
            const TensorType &b = patterns.type(columns);
            const auto indexed = ir::contraction_dimensions(a, b, product.as<ir::Contract>().dimensions)->indexed;
            // What the documents bring would be packed for each of them.
            if (!b.has_mapped() && is_shared(patterns[columns], sum) && !patterns.type(bias).has_mapped() &&
                patterns.type(bias).cell_type() == sum.type->cell_type() &&
                has_dimensions(patterns.type(bias), indexed.columns)) {
                return layer(product, {rows, columns, bias}, activation);
            }
        }
        patterns.refuse(id, "the bias is no row of what the product has as columns");
    }
    return std::nullopt;
}

}  // namespace

std::optional<Fused> fuse_layer(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &node = patterns[id];
    ir::NodeId source_id = id;
    ir::Activation activation = ir::Activation::none;
    if (applies(node, ScalarFunction::relu)) {
        source_id = node.operands[0];
        activation = ir::Activation::relu;
    } else if (const std::optional<Gelu> gelu = find_gelu(patterns, id)) {
        source_id = gelu->cells;
        activation = gelu->form;
    } else {
        return with_bias(patterns, id, ir::Activation::none);
    }
    const ir::Node &source = patterns[source_id];
    const bool is_read_once = activation != ir::Activation::relu || patterns.uses(source_id) == 1;
    if (is_product(patterns, source_id, node)) {
        return is_read_once ? std::optional(layer(source, {source.operands.begin(), source.operands.end()}, activation))
                            : patterns.refuse(id, "something else reads the product without its relu");
    }
    return is_read_once && source.stage == node.stage && *source.type == *node.type
               ? with_bias(patterns, source_id, activation)
               : std::nullopt;
}

}  // namespace tenrex::optimizer
