// The module Dense of an encoder's folder: a layer over the vector of a text.
#pragma once

#include <cstddef>
#include <string>

#include <tenrex/result.h>
#include <tenrex/tensor.h>

namespace tenrex::tool {

struct DenseLayer {
    std::string function;  // tanh, relu or sigmoid; empty: none
    Tensor weights;        // tensor<float>(OUT[n],IN[m])
    Tensor bias;           // tensor<float>(OUT[n]); zeros, if it has none
    std::string path;      // of the file with both
};

// The folder of the module: config.json and model.safetensors. in, out: the dimensions of the vectors before and after
// it, out before in by the alphabet.
Result<DenseLayer> read_dense_layer(const std::string &path, const std::string &in, const std::string &out);

}  // namespace tenrex::tool
