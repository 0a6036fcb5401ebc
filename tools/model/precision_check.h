// What a precision costs and saves: tenrex model --check.
#pragma once

#include <string>

#include <tenrex/model_precision.h>
#include <tenrex/result.h>

#include "tools/model/model_options.h"

namespace tenrex::tool {

struct PrecisionCheck {
    // For the first output of a network how far its values are from those of f32 over given inputs, how many inputs
    // are ranked in another way, what the weights take, and how long an input takes.
    std::string table;
    double least_cosine = 1;
};

//  inputs: a .npz file whose arrays have a row for each input, or lines of
// JSON, each an object of lists by the names of the inputs, or a list for the first one.
Result<PrecisionCheck> check_precision(const ModelFile &file, const std::string &inputs, ModelPrecision precision);

}  // namespace tenrex::tool
