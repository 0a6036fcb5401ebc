// Constant matrices that nothing but the packing for products of matrices reads: they are packed from where they are,
// and have no value of their own in a plan.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lib/ir/contraction.h"
#include "lib/kernels/convert/convert_kernels.h"
#include "lib/lower/context.h"
#include "lib/program/matrix_shape.h"

namespace tenrex::lower {

// needed: by node, whether it gets a value of its own; the same without such constants and what renames them.
std::vector<bool> without_weights(const ir::Graph &graph, std::vector<bool> needed);

struct Weights {
    std::shared_ptr<const Tensor> tensor;
    const kernels::ConversionKernel *convert;  // makes cells that the kernel reads; null: they are such
    program::MatrixShape shape;
};
// The columns of a product, if they are such a constant and the kernel's cells can be all of its cells.
// dimensions: of a contraction whose second operand is b.
std::optional<Weights> weights_of(const Context &context, ir::NodeId b,
                                  const ir::ContractionDimensions::Group &dimensions,
                                  const kernels::MatmulKernel &kernel);
// Gives such a node a value after all.
void add_value(Context &context, ir::NodeId node);

}  // namespace tenrex::lower
