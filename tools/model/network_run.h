// A network over named arrays: tenrex model --run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/model_precision.h>
#include <tenrex/result.h>

#include "tools/model/model_options.h"

namespace tenrex::tool {

// The arrays of an archive as tensors, by their names.
Result<std::vector<NamedTensor>> read_arrays(const std::string &path);

struct NetworkRun {
    ModelPrecision precision = ModelPrecision::f32;
    bool reference = false;  // by the naive evaluator that the compiler is tested against
    std::size_t threads = 1;
};

// The bytes of an archive with an array for each output. arrays: one with an array for each input, by its name.
Result<std::string> run_network(const ModelFile &file, const std::string &arrays, const NetworkRun &how);

}  // namespace tenrex::tool
