// A product that a sum adds to: a*b+c. Both roundings stay; what is saved is writing the products and reading them
// again.
#include "optimizer/cell_precision.h"
#include "optimizer/matcher.h"
#include "optimizer/passes/passes.h"

namespace tenrex::optimizer {

std::optional<Fused> fuse_multiply_add(const Patterns &patterns, ir::NodeId id) {
    const ir::Node &sum = patterns[id];
    if (!applies(sum, ScalarFunction::add)) {
        return std::nullopt;
    }
    const CellPrecision precision(patterns.graph());
    for (const auto &[product_id, other] : either_order(sum.operands)) {
        const ir::Node &product = patterns[product_id];
        if (!applies(product, ScalarFunction::multiply)) {
            continue;
        }
        if (patterns.uses(product_id) != 1) {
            patterns.refuse(id, "something else reads the product");
        } else if (product.stage != sum.stage) {
            continue;  // the product is computed once, earlier
        } else if (*product.type != *sum.type) {
            patterns.refuse(id, "the product has other dimensions or cells than the sum");
        } else if (decay(sum.type->cell_type()) != sum.type->cell_type()) {
            patterns.refuse(id, "the product is rounded to small cells first");
        } else if (precision.computed_in(product) != precision.computed_in(sum)) {
            patterns.refuse(id, "one is computed in float, the other in double");
        } else {
            return Fused{ir::Op::multiply_add, {product.operands[0], product.operands[1], other}, {}};
        }
    }
    return std::nullopt;
}

}  // namespace tenrex::optimizer
