// What a model predicts for rows: blocks of them by a compiled plan, or one by one by the reference evaluator.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/forest.h>
#include <tenrex/plan.h>

namespace tenrex::tool {

struct PredictorOptions {
    bool raw = false;
    bool reference = false;
    std::string isa;
};

class Predictor {
public:
    static Result<Predictor> make(const Forest &forest, const PredictorOptions &options);

    // rows: the values of the features that the forest uses. The numbers that it predicts for each.
    Result<std::vector<std::vector<double>>> predict(const std::vector<std::vector<double>> &rows);

private:
    Predictor() = default;
    Result<std::vector<std::vector<double>>> walk(const std::vector<std::vector<double>> &rows) const;

    std::vector<std::string> names_;        // of the inputs
    std::vector<std::size_t> columns_;      // the feature of each column of the plan
    std::optional<Expression> expression_;  // of the reference evaluator
    std::optional<Plan> plan_;
    std::optional<Query> query_;
    std::optional<Context> context_;
    std::vector<double> cells_;  // of the columns, one after the other
};

}  // namespace tenrex::tool
