// Layers of neural nets: products of matrices together with what becomes of their cells before they are stored.
#include <algorithm>

#include "lib/ir/contraction.h"
#include "lib/plan/lowering.h"
#include "optimizer/matcher.h"

namespace tenrex::plan {

namespace {

// These and no others; they come in the type's order.
bool has_dimensions(const TensorType &type, const std::vector<std::string> &names) {
    return std::equal(names.begin(), names.end(), type.dimensions().begin(), type.dimensions().end(),
                      [](const std::string &name, const Dimension &dimension) { return name == dimension.name; });
}

}  // namespace

bool Lowering::is_product_for(ir::NodeId id, const ir::Node &reader, const std::vector<std::uint32_t> &uses) const {
    const ir::Node &node = graph_[id];
    if (node.op != ir::Op::contract || uses[id] != 1 || node.stage != reader.stage || !(*node.type == *reader.type)) {
        return false;
    }
    const TensorType &a = type(node.operands[0]);
    const TensorType &b = type(node.operands[1]);
    const std::vector<std::string> &summed = node.as<ir::Contract>().dimensions;
    if (ir::contraction_form(a, b, summed, node.as<ir::Contract>().terms) != ir::ContractionForm::product ||
        is_vector_by_rows(node)) {
        return false;
    }
    // Or the cells are rounded once more before they are read.
    const std::size_t k = cells_of(a, ir::contraction_dimensions(a, b, summed)->indexed.summed);
    return multiplied_in(a.cell_type(), b.cell_type(), k) == node.type->cell_type();
}

std::optional<Lowering::Layer> Lowering::biased_product(const ir::Node &node,
                                                        const std::vector<std::uint32_t> &uses) const {
    if (!optimizer::applies(node, ScalarFunction::add)) {
        return std::nullopt;
    }
    for (const auto &[id, bias] : optimizer::either_order(node.operands)) {
        const bool is_shared = stage(bias) < Stage::document || node.stage < Stage::document;
        if (!is_product_for(id, node, uses) || !is_shared || type(bias).has_mapped() ||
            type(bias).cell_type() != node.type->cell_type()) {
            continue;
        }
        const ir::Node &product = graph_[id];
        for (const auto &[a, b] : optimizer::either_order(product.operands)) {
            const auto indexed =
                ir::contraction_dimensions(type(a), type(b), product.as<ir::Contract>().dimensions)->indexed;
            // What the documents bring would be packed for each of them.
            const bool is_packed_once = stage(b) < Stage::document || node.stage < Stage::document;
            if (!type(b).has_mapped() && is_packed_once && has_dimensions(type(bias), indexed.columns)) {
                return Layer{id, Bias{a, b, bias}};
            }
        }
    }
    return std::nullopt;
}

std::optional<Lowering::Layer> Lowering::layer(const ir::Node &node, const std::vector<std::uint32_t> &uses) const {
    if (!optimizer::applies(node, ScalarFunction::relu)) {
        return biased_product(node, uses);
    }
    const ir::NodeId id = node.operands[0];
    const ir::Node &sum = graph_[id];
    std::optional<Layer> layer;
    if (is_product_for(id, node, uses)) {
        layer = Layer{id, std::nullopt};
    } else if (uses[id] == 1 && sum.stage == node.stage && *sum.type == *node.type) {
        layer = biased_product(sum, uses);
    }
    if (layer) {
        layer->activation = kernels::MatmulActivation::relu;
    }
    return layer;
}

Value Lowering::layer(const Layer &layer) {
    const ir::Node &node = graph_[layer.product];
    return layer.bias ? product(node, layer.bias->rows, layer.bias->columns, {layer.bias->bias, layer.activation})
                      : product(node, layer.activation);
}

}  // namespace tenrex::plan
