// Prints ranked lists: for people, as JSON Lines, or in the format of TREC runs.
#pragma once

#include <string>
#include <string_view>

#include <tenrex/rank_profile.h>

#include "tools/rank/document_store.h"
#include "tools/rank/ranker.h"

namespace tenrex::tool {

enum class HitFormat { table, jsonl, trec };

class HitPrinter {
public:
    // many_queries: the table of each query has a heading.
    HitPrinter(HitFormat format, const RankProfile &profile, const DocumentStore &store, bool many_queries)
        : format_(format), profile_(profile), store_(store), many_queries_(many_queries) {}

    std::string print(std::string_view query, const RankedList &list) const;

private:
    std::string table(std::string_view query, const RankedList &list) const;
    std::string jsonl(std::string_view query, const RankedList &list) const;
    std::string trec(std::string_view query, const RankedList &list) const;
    std::string_view id(const Hit &hit) const;

    HitFormat format_;
    const RankProfile &profile_;
    const DocumentStore &store_;
    bool many_queries_;
};

}  // namespace tenrex::tool
