// Gaussian error linear units, as networks write them out.
#pragma once

#include <optional>

#include "lib/ir/payloads.h"
#include "optimizer/fuse.h"

namespace tenrex::optimizer {

// What a gelu is of, and which of its forms it is.
struct Gelu {
    ir::NodeId cells;
    ir::Activation form;
};

// x*(1+erf(x/sqrt(2)))/2 or x*(1+tanh(sqrt(2/pi)*(x+0.044715*x^3)))/2 that ends in the node, with factors and terms in
// any order. Cells are float, and nothing else reads x, nor what is in between.
std::optional<Gelu> find_gelu(const Patterns &patterns, ir::NodeId id);

}  // namespace tenrex::optimizer
