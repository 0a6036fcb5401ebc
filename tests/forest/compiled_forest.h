// A forest as a compiled plan evaluates it, on each instruction set and for blocks of several sizes.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tenrex/forest.h>
#include <tenrex/plan.h>

#include "tests/conformance/isas.h"

namespace tenrex {

// What the plan of an expression with forest(m) gives for rows of features, in blocks of that many rows.
class CompiledForest {
public:
    CompiledForest(const Forest &forest, const std::vector<std::string> &features, std::string_view text,
                   const std::string &isa) {
        Schema schema;
        for (const std::string &name : features) {
            schema.document(name);
        }
        schema.forest("m", forest);
        CompileOptions options;
        options.max_isa = isa;
        auto plan = compile(text, schema, options);
        if (!plan) {
            ADD_FAILURE() << plan.error().render();
            return;
        }
        plan_ = *std::move(plan);
        for (const InputDeclaration &input : plan_->document_inputs()) {
            columns_.push_back(
                static_cast<std::size_t>(std::find(features.begin(), features.end(), input.name) - features.begin()));
        }
    }

    std::vector<std::vector<double>> values(const std::vector<std::vector<double>> &rows, std::size_t block) const {
        std::vector<std::vector<double>> values;
        if (!plan_) {
            return values;
        }
        const auto query = plan_->bind({});
        Context context(*plan_);
        for (std::size_t first = 0; first < rows.size(); first += block) {
            const std::size_t count = std::min(block, rows.size() - first);
            std::vector<std::vector<double>> cells;
            std::vector<Column> columns;
            for (const std::size_t feature : columns_) {
                cells.emplace_back();
                for (std::size_t row = first; row < first + count; ++row) {
                    cells.back().push_back(rows[row][feature]);
                }
            }
            for (const std::vector<double> &column : cells) {
                columns.push_back(Column::dense(column.data(), sizeof(double)));
            }
            const auto tensors = query->evaluate_tensors({count, columns}, context);
            if (!tensors) {
                ADD_FAILURE() << tensors.error().render();
                return values;
            }
            for (const Tensor &tensor : *tensors) {
                values.emplace_back();
                for (std::size_t i = 0; i < tensor.cell_count(); ++i) {
                    values.back().push_back(tensor.cell(i));
                }
            }
        }
        return values;
    }

private:
    std::optional<Plan> plan_;
    std::vector<std::size_t> columns_;  // the feature of each column of the plan
};

// Calls check(values) with those of the rows on each instruction set and for each size of block.
template <class Check>
void for_each_plan(const Forest &forest, const std::vector<std::string> &features,
                   const std::vector<std::vector<double>> &rows, std::string_view text, const Check &check) {
    for (const char *const isa : distinct_isas({"baseline", "avx2", "avx512", "native"})) {
        const CompiledForest compiled(forest, features, text, isa);
        for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{64}, rows.size()}) {
            SCOPED_TRACE(std::string(isa) + ", blocks of " + std::to_string(block));
            const std::vector<std::vector<double>> values = compiled.values(rows, block);
            ASSERT_EQ(rows.size(), values.size());
            check(values);
        }
    }
}

}  // namespace tenrex
