// A network over named arrays: tenrex model --run.
#pragma once

#include <string>

#include <tenrex/result.h>

#include "tools/model/model_options.h"

namespace tenrex::tool {

// The bytes of an archive with an array for each output. arrays: one with an array for each input, by its name.
// reference: by the naive evaluator that the compiler is tested against.
Result<std::string> run_network(const ModelFile &file, const std::string &arrays, bool reference);

}  // namespace tenrex::tool
