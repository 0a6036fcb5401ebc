// What --retrieve asks for, written as a query of Vespa is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenrex/result.h>

namespace tenrex::tool {

// nearestNeighbor(field,q), or userQuery(): the documents with words of the query's text.
struct RetrieveArgument {
    std::string attribute;  // empty: userQuery()
    std::string query;      // "q" for query(q)
    std::size_t target_hits = 100;
    bool approximate = false;
    std::size_t explored_beyond = 0;  // hnsw.exploreAdditionalHits

    bool is_text() const noexcept { return attribute.empty(); }
};

// "{targetHits:100,approximate:true,hnsw.exploreAdditionalHits:50}nearestNeighbor(field,q)"; what is in braces may be
// left out.
Result<RetrieveArgument> parse_retrieve(std::string_view text);

}  // namespace tenrex::tool
