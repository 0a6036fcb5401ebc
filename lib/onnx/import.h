// A model as expressions of the language: a definition for each node over those before it, the inputs and the weights.
//
//   const auto model = onnx::import_model(bytes, {.name = "m"});
//   model->outputs[0].symbol       the definition of an output: onnx(m).logits
//   model->definitions             in an order in which each uses those before it
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/limits.h>
#include <tenrex/model_precision.h>
#include <tenrex/model_reader.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>

#include "lib/onnx/element_type.h"
#include "lib/onnx/model_bytes.h"
#include "lib/onnx/tensor_data.h"

namespace tenrex::onnx {

struct ImportOptions {
    std::string name = "model";  // in the symbols of the definitions
    // What the inputs are in an expression, by their names in the model; those that are not listed have their own.
    std::map<std::string, std::string, std::less<>> inputs;
    // How many indexes an axis with a name has; -1: it is open. One that is not listed has what the type of an input
    // says. Else the first of an input has one and others are open.
    std::map<std::string, std::int64_t, std::less<>> sizes;
    // Inputs whose values are known, such as those that decide shapes.
    std::map<std::string, Tensor, std::less<>> constants;
    // The types of what the inputs are, as far as they are known.
    ModelInputType type_of;
    // The files of the model: those beside it hold elements of tensors. If it is packed, its matrices are taken from
    // there. Null: there are none.
    ModelFiles *files = nullptr;
    Limits limits;
    ModelPrecision precision = ModelPrecision::f32;
};

// An input or an output of a model.
struct ModelPort {
    std::string name;    // in the model
    std::string symbol;  // in expressions
    std::string inner;   // of an input: the symbol that the definitions use, which is to stand for `symbol`
    ElementType element_type = ElementType::f32;
    Shape shape;
    TensorType type;
};

struct ImportedModel {
    // Multiplications and additions of its products of matrices, by how many of their loops are over open axes: for a
    // document, for each token, for each pair of tokens. Those over more count for pairs.
    std::array<double, 3> flops{};
    std::vector<ModelPort> inputs;
    std::vector<ModelPort> outputs;
    std::vector<ModelDefinitions::Refused> refused;                // outputs that the model has, too
    std::vector<std::pair<std::string, Tensor>> constants;         // symbol, value
    std::vector<ForestDeclaration> forests;                        // over symbols of definitions and constants
    std::vector<std::pair<std::string, std::string>> definitions;  // symbol, expression
    // What a packed model has of it: the bytes of weights that nothing parses, which weights constants are made of, by
    // their symbols, and what rounding has found, by these origins.
    std::vector<std::string_view> weight_bytes;
    std::map<std::string, std::string, std::less<>> origins;
    std::map<std::string, WeightColumns, std::less<>> columns;
};

// What a function that reads a model returns, or an error if there is not enough memory.
template <class Read>
auto unless_out_of_memory(const Read &read) -> decltype(read()) {
    try {
        return read();
    } catch (const std::bad_alloc &) {
        return Error("there is not enough memory for the model");
    }
}

// Errors name the operator, the node and what to do: an operator that is not supported, shapes that do not fit, an
// input that decides a shape and is not known, a file that is broken.
Result<ImportedModel> import_model(std::string_view bytes, const ImportOptions &options = {});

}  // namespace tenrex::onnx
