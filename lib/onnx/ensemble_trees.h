// The rows and weights of a node become the trees of a forest.
#pragma once

#include <span>
#include <string_view>

#include "lib/onnx/ensemble_parts.h"

namespace tenrex::onnx {

// The forest says how many outputs there are. base: what is added last, a number for each output, or none.
// targets_name: the attribute with the outputs of the weights. Errors are thrown.
void add_trees(const EnsembleNode &node, EnsembleParts parts, std::span<const double> base,
               std::string_view targets_name, forest::Forest &forest);
// Each tree has an output of its own, and nothing is added: all leaves are for one target.
void add_trees_apart(const EnsembleNode &node, EnsembleParts parts, std::string_view targets_name,
                     forest::Forest &forest);

}  // namespace tenrex::onnx
