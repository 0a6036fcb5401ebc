// Makes a case that fails smaller: fewer operations, documents, labels and cells, and a simpler arrangement.
#pragma once

#include <string>

#include "tests/differential/wide_case.h"

namespace tenrex::differential {

struct WideCase {
    random::RandomExpression expression;
    random::Numbers numbers;
    Arrangement arrangement;
};

// A smaller case that fails, too.
WideCase smallest(WideCase failing);

// What is wrong with a case, and a test that shows it.
std::string report(const WideCase &failing);

}  // namespace tenrex::differential
