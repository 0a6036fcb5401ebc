// How a model in a file becomes a part of expressions: constants and definitions over its inputs. Who reads files is a
// library of its own: read_onnx_model() of <tenrex/onnx.h>.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenrex/limits.h>
#include <tenrex/model_precision.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>

namespace tenrex {

struct ModelDefinitions {
    struct Port {
        std::string name;  // in the model
        std::string symbol;
        TensorType type;
    };
    std::vector<Port> inputs;   // symbols that the definitions use: who takes the model says what they are
    std::vector<Port> outputs;  // symbols among the definitions
    struct Refused {
        std::string name;  // in the model
        std::string symbol;
        std::string reason;
    };
    std::vector<Refused> refused;                           // outputs of the model that cannot be had
    std::vector<std::pair<std::string, Tensor>> constants;  // symbol, value
    std::vector<ForestDeclaration> forests;                 // their inputs are symbols of definitions and constants
    std::vector<DefinitionDeclaration> definitions;         // each over those before it
};

// The type of what an input of the model is given; nothing: it is not known. Asked once for each input, in their order.
using ModelInputType = std::function<std::optional<TensorType>(std::string_view input)>;

struct ModelRequest {
    std::string name;  // in the symbols
    ModelInputType type_of = {};
    // The bytes of a file that the model names.
    std::function<Result<std::string>(std::string_view location)> beside = {};
    Limits limits = {};
    ModelPrecision precision = ModelPrecision::f32;
};

// A model from the bytes of its file.
using ModelReader = std::function<Result<ModelDefinitions>(std::string_view bytes, const ModelRequest &request)>;

}  // namespace tenrex
