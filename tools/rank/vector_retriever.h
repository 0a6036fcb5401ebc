// The documents whose vectors are nearest to one of the query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenrex/nearest_neighbors.h>
#include <tenrex/rank_profile.h>
#include <tenrex/result.h>

#include "tools/rank/document_store.h"
#include "tools/rank/retrieve_argument.h"

namespace tenrex::tool {

class VectorRetriever {
public:
    // Error: the attribute or the input is no vector, or they do not go together.
    static Status check(const RetrieveArgument &argument, const RankProfile &profile);
    // Checked before. With a graph if the argument wants it. Documents without a vector, or with zeros only, are not
    // found. The result is the same for any executor. Error: a vector with numbers that are not finite.
    static Result<VectorRetriever> make(const RetrieveArgument &argument, const RankProfile &profile,
                                        const DocumentLayout &layout, const DocumentStore &store, Executor &executor);

    // Of the values of a query.
    Result<std::vector<std::uint64_t>> documents(const std::vector<NamedTensor> &values);
    // Compares what was found last with what an exact search finds, if a graph was asked.
    Status compare(const std::vector<NamedTensor> &values);
    // Which share of what exact searches found was found; nothing: no search was compared.
    std::optional<double> recall() const noexcept;
    const RetrieveArgument &argument() const noexcept { return argument_; }

private:
    Result<std::vector<Neighbor>> search(const std::vector<NamedTensor> &values, bool exact);

    VectorRetriever(RetrieveArgument argument, VectorIndex index)
        : argument_(std::move(argument)), index_(std::move(index)) {}

    RetrieveArgument argument_;
    VectorIndex index_;
    std::vector<std::uint64_t> numbers_;  // of the documents, by the ids of the index
    SearchMemory memory_;
    std::vector<Neighbor> last_;
    std::size_t wanted_ = 0;  // by exact searches
    std::size_t found_ = 0;   // of these
};

}  // namespace tenrex::tool
