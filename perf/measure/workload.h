// A case with data: compiled, its query bound, its documents in columns.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "perf/measure/case.h"

namespace tenrex::perf {

// The sizes that open dimensions have in the values of a document, by name, least and most: dimensions that have all
// these in common are of the same size, so that their values can be joined.
using DrawnSizes = std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::uint64_t>;

// A value as the recipe says: its own, or a random one.
Tensor random_value(const InputRecipe &recipe, std::mt19937_64 &random, DrawnSizes &sizes);

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
    const Expression &expression() const noexcept { return *expression_; }
    const Plan &plan() const noexcept { return *plan_; }
    const Query &query() const noexcept { return *query_; }
    const std::vector<NamedTensor> &query_values() const noexcept { return query_values_; }
    std::size_t documents() const noexcept { return documents_; }
    std::vector<Column> columns() const;
    // Bytes and blocks of labels of a document, of the inputs that the plan reads.
    std::size_t document_bytes() const noexcept { return document_bytes_; }
    // As many of those bytes as the plan must read at least, if the labels that it looks up are there.
    std::size_t document_bytes_read() const noexcept { return document_bytes_read_; }
    // Labels that must be found for a document: those of the side that has fewer, or those that the expression names.
    std::size_t lookups() const noexcept { return lookups_; }
    std::size_t document_blocks() const noexcept { return document_blocks_; }
    // Blocks of labels of the query's value or constant that has the most.
    std::size_t shared_blocks() const noexcept { return shared_blocks_; }
    // The values of the first documents, for the oracle.
    const std::vector<std::vector<NamedTensor>> &samples() const noexcept { return samples_; }

private:
    // What is read of a document's value.
    std::size_t blocks_of(const InputRecipe &recipe, const DocumentRead &read) const;
    std::size_t bytes_of(const InputRecipe &recipe, const DocumentRead &read) const;
    std::size_t lookups_of(const InputRecipe &recipe, const DocumentRead &read) const;
    Status fill(const WorkloadOptions &options, std::mt19937_64 &random);

    Case case_;
    Schema schema_;
    std::optional<Expression> expression_;
    std::shared_ptr<const Plan> plan_;
    std::shared_ptr<const Query> query_;
    std::vector<NamedTensor> query_values_;
    std::size_t documents_ = 0;
    std::size_t document_bytes_ = 0;
    std::size_t document_blocks_ = 0;
    std::size_t document_bytes_read_ = 0;
    std::size_t lookups_ = 0;
    std::size_t shared_blocks_ = 0;
    std::vector<ColumnBuffer> buffers_;
    std::vector<std::vector<NamedTensor>> samples_;
};

// The scores of all documents, evaluated by blocks of a size.
Result<std::vector<double>> all_scores(const Workload &workload, std::size_t block_size);

struct Verdict {
    std::string mistake;    // what is wrong with the results; empty if nothing is
    std::string unchecked;  // why the oracle has no result to compare with
};

// Compares some documents with the oracle, as many as it manages in a second but at least one, and all documents in
// blocks of one with all in blocks of 64.
Verdict check_results(const Workload &workload);

}  // namespace tenrex::perf
