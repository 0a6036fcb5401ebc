// Files of TREC: what judges say of documents, and what a program found.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenrex/result.h>

namespace tenrex::tool {

// The documents of a query with a number each: how relevant they are, or what they scored.
struct QueryDocuments {
    struct Entry {
        std::string document;
        double number;
    };
    std::vector<Entry> entries;                              // in the order of the file
    std::unordered_map<std::string, std::size_t> positions;  // of a document among the entries
};

struct TrecFile {
    std::vector<std::string> queries;  // in the order of the file
    std::unordered_map<std::string, QueryDocuments> documents;

    const QueryDocuments *find(const std::string &query) const;
};

// Reads lines of query, 0, document and relevance. An error names the file and the line.
Result<TrecFile> read_judgements(const std::string &path);
// Reads lines of query, Q0, document, rank, score and name, as `tenrex rank --format trec` writes them. The scores
// decide about the order, not the ranks.
Result<TrecFile> read_run(const std::string &path);

}  // namespace tenrex::tool
