// How large the values of random expressions are: few cells for most, and now and then sizes and label counts around
// those where the compiled path changes its way.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <tenrex/tensor_type.h>

#include "tests/reference/random_source.h"

namespace tenrex::random {

enum class Sizes {
    small,  // dimensions of at most 7, at most four labels
    wide,   // also thousands of cells, hundreds of labels, a dozen dimensions
};

struct SizePlan {
    std::vector<Dimension> pool;                             // the dimensions that an expression may have
    std::map<std::string, std::size_t, std::less<>> labels;  // of its mapped ones: how many labels there may be
    std::vector<std::string> favoured;                       // dimensions that are large: most types have one
    std::size_t most_dimensions = 4;
    std::size_t most_mapped = 3;
    std::size_t most_cells = 0;  // of a value, labels times cells, in all its copies within lambdas
    std::size_t most_depth = 9;

    std::size_t extent(const Dimension &dimension) const;
    std::size_t cells(const TensorType &type) const;
};

SizePlan random_sizes(Source &source, Sizes sizes, std::size_t most_dimensions);

// Label number i: words and numbers, so that a computed label may be there.
const std::string &label(std::size_t i);

// How many labels a value of a document has, of those that there may be.
std::size_t label_count(Source &source, std::size_t most);

}  // namespace tenrex::random
