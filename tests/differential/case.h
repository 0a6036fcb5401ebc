// An expression with values for several documents, the compiled way and by the reference evaluator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tenrex/column_buffer.h>
#include <tenrex/expression.h>
#include <tenrex/plan.h>

#include "tests/reference/random_expression.h"
#include "tests/reference/random_shrink.h"

namespace tenrex::differential {

// The expression with values for documents: documents[d] has a value for each input that is not constant. Those of the
// query are the same for all.
struct Case {
    std::string text;
    Schema schema;
    std::vector<std::vector<NamedTensor>> documents;
};

// The first document has the inputs of the expression, the others have tensors of other cells and, if sparse, other
// addresses; some have none. Depends on the arguments alone.
Case make_case(const random::RandomExpression &expression, random::Numbers numbers, std::size_t documents);

// Each input at a stage of its own, chosen anew.
void reassign_stages(random::RandomExpression &expression, random::Source &source);

// The numbers of so many documents: not in their order, and again where there are fewer.
std::vector<std::size_t> some_documents(const Case &described, std::size_t count);

struct Settings {
    std::string isa;
    std::string disabled_pass;
    bool shared_labels = false;          // with a label table of the caller's
    std::uint64_t evaluation_cells = 0;  // the limit, if it is not the usual one
    std::string to_string() const;
};

// A compiled case, with its query bound.
class Compiled {
public:
    static Result<Compiled> make(const Case &described, const Settings &settings);

    const Plan &plan() const noexcept { return *plan_; }
    const Query &query() const noexcept { return *query_; }
    // Columns of a block whose document i has the values of documents[order[i]].
    Result<std::vector<ColumnBuffer>> columns(const Case &described, std::span<const std::size_t> order) const;

private:
    std::shared_ptr<const Plan> plan_;
    std::shared_ptr<const Query> query_;
};

std::vector<Column> describe(const std::vector<ColumnBuffer> &buffers);
// The values of a block's documents; the context may have been used before.
Result<std::vector<Tensor>> evaluate(const Compiled &compiled, const Case &described,
                                     std::span<const std::size_t> order, Context &context);

// The number of seeds to run: TENREX_RANDOM_SEEDS, or the usual one; they begin at TENREX_RANDOM_FIRST.
std::uint64_t seed_count(std::uint64_t usual);
std::uint64_t first_seed();

}  // namespace tenrex::differential
