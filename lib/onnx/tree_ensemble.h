// Decision forests in ONNX files: the operators TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble of the
// domain ai.onnx.ml, which converters write for models of other trainers.
#pragma once

#include <string_view>

#include <tenrex/forest.h>
#include <tenrex/result.h>

namespace tenrex::onnx {

// The forest of the only such node of a model. Features have no names. Errors name the node and the attribute.
Result<Forest> read_tree_ensemble(std::string_view bytes);

}  // namespace tenrex::onnx
