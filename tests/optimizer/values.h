// Values of compiled expressions for a query and several documents, compared with the reference evaluator.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/schema.h>
#include <tenrex/tensor.h>

#include "tests/differential/case.h"
#include "tests/reference/random_source.h"

namespace tenrex::optimizer {

// An input and its value for each document; one of a constant or a query has the first for all of them.
struct Values {
    std::string name;
    Stage stage;
    std::vector<Tensor> of_documents;
};

std::vector<Tensor> literals(const std::vector<std::string> &texts);

// Values with random cells and addresses.
Values random_values(const std::string &name, Stage stage, const std::string &type, std::size_t documents,
                     random::Numbers numbers, std::uint64_t seed);

// Whether a right value may be off by the bound of the reference evaluator.
enum class Agreement { within_bounds, exact };

// What is wrong with the compiled expression, or nothing: each document alone has the value that the reference
// evaluator gives, and the same bits among the others. `graph`, if it is given, gets the optimized graph, `plan` what
// explain says.
std::string wrong_value(const std::string &text, const std::vector<Values> &inputs,
                        Agreement agreement = Agreement::within_bounds, std::string *graph = nullptr,
                        std::string *plan = nullptr);

// The same with a schema and the values of each document, whose open dimensions may have different sizes.
std::string wrong_value(const differential::Case &described, Agreement agreement = Agreement::within_bounds,
                        std::string *graph = nullptr, std::string *plan = nullptr);

}  // namespace tenrex::optimizer
