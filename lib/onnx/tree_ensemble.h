// Decision forests in ONNX files: the operators TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble of the
// domain ai.onnx.ml, which converters write for models of other trainers.
#pragma once

#include <string_view>

#include <tenrex/forest.h>
#include <tenrex/result.h>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

// The forest of the only such node of a model. Features have no names. Errors name the node and the attribute.
Result<Forest> read_tree_ensemble(std::string_view bytes);
// Whether the model has such a node.
bool has_tree_ensemble(const Model &file);

}  // namespace tenrex::onnx
