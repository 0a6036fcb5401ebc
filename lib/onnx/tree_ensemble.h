// Decision forests in ONNX files: the operators TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble of the
// domain ai.onnx.ml, which converters write for models of other trainers.
#pragma once

#include <cstdint>
#include <string_view>

#include <tenrex/forest.h>
#include <tenrex/result.h>

#include "lib/onnx/model_file.h"

namespace tenrex::onnx {

// The forest of the only such node of a model. Features have no names. Errors name the node and the attribute.
Result<Forest> read_tree_ensemble(std::string_view bytes);
// That of a node whose input has so many columns, or as many as its splits need.
Result<Forest> forest_of(const Node &node, std::int64_t columns);
// Whether the model has such a node, and only nodes beside it that change no number.
bool is_forest(const Model &file);

}  // namespace tenrex::onnx
