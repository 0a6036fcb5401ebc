// The conformance vectors as cases with several documents.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/differential/case.h"

namespace tenrex::differential {

struct VectorCase {
    std::string id;
    Case described;
};

// Every `step`th accepted vector, with its inputs at a stage. The first document has the inputs of the vector; the
// others have other cells, and some blocks less.
std::vector<VectorCase> vector_cases(std::size_t documents, Stage stage, std::size_t step);

// Whether the environment asks for every vector (TENREX_FULL_MATRIX), not for some.
bool full_run();

}  // namespace tenrex::differential
