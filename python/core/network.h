// Networks of ONNX files, which are imported once it is known what their inputs are.
#pragma once

#include <map>
#include <string>

#include <tenrex/onnx.h>

#include "python/core/python.h"

namespace tenrex::python {

struct Network {
    std::string path;   // empty: the bytes
    std::string bytes;  // of a model in memory
    std::string folder;
    std::map<std::string, std::string, std::less<>> inputs;
    ModelPrecision precision = ModelPrecision::f32;
    OnnxContents contents;

    // As the model of that name, for what the schema declares. To be called without the lock of the interpreter.
    Result<OnnxModel> import(const std::string &name, const Schema &schema) const;
};

void bind_networks(py::module_ &module);

}  // namespace tenrex::python
