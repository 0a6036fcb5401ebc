// What must hold of a forest, whatever file it was read from.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <tenrex/expression.h>
#include <tenrex/forest.h>

#include "tests/fuzz/fuzz_target.h"

namespace tenrex::fuzz {

// The numbers of the forest if all features have the value.
inline std::vector<double> values(const Forest &forest, std::string_view text, double feature) {
    Schema schema;
    std::vector<std::string> names;
    std::vector<NamedTensor> inputs;
    for (std::size_t i = 0; i < forest.used_features().size(); ++i) {
        names.push_back("f" + std::to_string(i));
        inputs.emplace_back(names.back(), Tensor(feature));
        schema.document(names.back());
    }
    schema.forest("m", forest, names);
    const auto expression = Expression::parse(text, schema);
    require(expression.has_value(), "a forest that was read can be called");
    const auto value = expression->evaluate_reference(inputs);
    require(value.has_value(), "a forest that was read has a value");
    std::vector<double> cells;
    for (std::size_t i = 0; i < value->cell_count(); ++i) {
        cells.push_back(value->cell(i));
    }
    return cells;
}

inline void check(const Result<Forest> &forest, std::string_view bytes) {
    if (!forest) {
        require(!forest.error().render().empty(), "an error renders");
        return;
    }
    require(forest->depth() <= bytes.size(), "a tree is not deeper than the file is long");
    constexpr std::size_t many = 1000;
    if (forest->trees() > many || forest->outputs() > many || forest->used_features().size() > many) {
        return;  // takes too long
    }
    for (const double feature : {0.0, 1.0, -1e30, std::numeric_limits<double>::quiet_NaN()}) {
        const std::vector<double> sums = values(*forest, "forest(m).raw", feature);
        require(sums.size() == forest->outputs(), "a number for each output");
        static_cast<void>(values(*forest, "forest(m)", feature));
        const std::vector<double> row(forest->used_features().size(), feature);
        if (const auto parts = forest->contributions(row)) {
            require(parts->size() % forest->outputs() == 0, "a row for each output");
        }
    }
}

}  // namespace tenrex::fuzz
