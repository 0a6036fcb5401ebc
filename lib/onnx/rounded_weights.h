// A matrix of weights in fewer bits.
#pragma once

#include <cstddef>
#include <vector>

#include <tenrex/tensor.h>

namespace tenrex::onnx {

// What rounding a matrix finds of its columns. Who knows it need not read the matrix to know scales and totals.
struct WeightColumns {
    std::vector<double> magnitude;  // the largest of each; of weights that are whole numbers: nothing
    std::vector<double> totals;
};

// The weights are floats of a type with two dimensions. If they stay where they are, in a file, the cells are made
// again from there when they were let go.

// Rounded to nearest, the even one of two. later: they are not made before somebody needs them.
Tensor in_bfloat16(const Tensor &weights, bool turned, bool later);

struct WholeWeights {
    Tensor cells;   // int8: from -127 to 127
    Tensor scale;   // of each column, along d0: what its largest magnitude is, by 127
    Tensor totals;  // of the cells of each column, times its scale
    WeightColumns columns;
};
// summed: the axis, of the result, that products are summed over; the other one has the columns. turned: the axes of
// the result are those of the weights in the other order. known: of these weights, so that cells are made when somebody
// needs them; null: they are made now.
WholeWeights in_int8(const Tensor &weights, bool turned, std::size_t summed, const WeightColumns *known);

}  // namespace tenrex::onnx
