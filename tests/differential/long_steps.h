// Expressions whose steps are long enough for several threads.
#pragma once

#include <vector>

#include "tests/differential/case.h"

namespace tenrex::differential {

struct LongStep {
    const char *what;
    Case described;
};

// One for each kind of step that an executor shares.
std::vector<LongStep> long_steps();

}  // namespace tenrex::differential
