// The documents whose vectors are nearest to one of the query.
#pragma once

#include <cstddef>
#include <cstdint>
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
    // found. Error: a vector with numbers that are not finite.
    static Result<VectorRetriever> make(const RetrieveArgument &argument, const RankProfile &profile,
                                        const DocumentLayout &layout, const DocumentStore &store);

    // Of the values of a query.
    Result<std::vector<std::uint64_t>> documents(const std::vector<NamedTensor> &values);

private:
    VectorRetriever(RetrieveArgument argument, VectorIndex index)
        : argument_(std::move(argument)), index_(std::move(index)) {}

    RetrieveArgument argument_;
    VectorIndex index_;
    std::vector<std::uint64_t> numbers_;  // of the documents, by the ids of the index
    SearchMemory memory_;
};

}  // namespace tenrex::tool
