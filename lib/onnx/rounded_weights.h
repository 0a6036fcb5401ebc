// A matrix of weights in fewer bits.
#pragma once

#include <tenrex/tensor.h>

namespace tenrex::onnx {

// The weights are floats of a type with two dimensions. If they stay where they are, in a file, the cells are made
// again from there when they were let go.

// Rounded to nearest, the even one of two.
Tensor in_bfloat16(const Tensor &weights, bool turned);

struct WholeWeights {
    Tensor cells;   // int8: from -127 to 127
    Tensor scale;   // of each column, along d0: what its largest magnitude is, by 127
    Tensor totals;  // of the cells of each column, times its scale
};
// summed: the axis, of the result, that products are summed over; the other one has the columns. turned: the axes of
// the result are those of the weights in the other order.
WholeWeights in_int8(const Tensor &weights, bool turned, std::size_t summed);

}  // namespace tenrex::onnx
