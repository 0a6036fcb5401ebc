// The cases in which rivals take part, with the data of the cases as plain arrays.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <tenrex/result.h>

#include "perf/measure/case.h"
#include "perf/rivals/rival.h"

namespace tenrex::perf {

struct ContestData {
    std::size_t documents = 0;
    std::map<std::string, TensorType> types;
    std::map<std::string, std::vector<float>> cells;  // of document inputs all documents, one after the other
    std::vector<float> expected;                      // what Tenrex computes
    std::size_t result_cells = 1;                     // of a document

    std::size_t size_of(const std::string &input, const std::string &dimension) const;
};

Result<ContestData> contest_data(const Case &described);

// Computes the results of `count` documents from document `first` on.
using Evaluation = std::function<void(std::size_t first, std::size_t count, float *results)>;

// How a rival does that case; nothing if it has no part in it. The data must live as long as the evaluation.
Evaluation contest(const std::string &case_name, const Rival &rival, const ContestData &data);
// Whether any rival takes part.
bool is_contest(const std::string &case_name);

}  // namespace tenrex::perf
