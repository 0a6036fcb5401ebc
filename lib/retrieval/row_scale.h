// What cells of a row stand for.
#pragma once

namespace tenrex::retrieval {

// What a row of int8 cells or of signs is multiplied by, and the square of the length of its vector.
struct RowScale {
    float factor = 1;
    float square = 0;
};

}  // namespace tenrex::retrieval
