// A case with data: compiled, its query bound, its documents in columns.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "perf/expressions/case.h"

namespace tenrex::perf {

struct WorkloadOptions {
    CompileOptions compile;
    std::size_t documents = 64;
    std::size_t samples = 4;  // documents that the oracle can have
    std::uint64_t seed = 1;
};

class Workload {
public:
    static Result<Workload> make(const Case &described, const WorkloadOptions &options);

    const Case &described() const noexcept { return case_; }
    const Schema &schema() const noexcept { return schema_; }
    const Plan &plan() const noexcept { return *plan_; }
    const Query &query() const noexcept { return *query_; }
    const std::vector<NamedTensor> &query_values() const noexcept { return query_values_; }
    std::size_t documents() const noexcept { return documents_; }
    // The columns of a block that begins with that document.
    std::vector<Column> columns(std::size_t first) const;
    // The values of the first documents, for the oracle.
    const std::vector<std::vector<NamedTensor>> &samples() const noexcept { return samples_; }

private:
    Case case_;
    Schema schema_;
    std::shared_ptr<const Plan> plan_;
    std::shared_ptr<const Query> query_;
    std::vector<NamedTensor> query_values_;
    std::size_t documents_ = 0;
    std::vector<ColumnBuffer> buffers_;
    std::vector<std::vector<NamedTensor>> samples_;
};

// The scores of all documents, evaluated by blocks of a size.
Result<std::vector<double>> all_scores(const Workload &workload, std::size_t block_size);

// What is wrong with the results, by the oracle's values of some documents and by comparing blocks of one with blocks
// of 64; empty if nothing is.
std::string mistake(const Workload &workload);

}  // namespace tenrex::perf
