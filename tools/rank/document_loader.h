// Loads files of documents, JSON Lines or tables, by several threads: the store comes out the same for any number of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tenrex/label.h>
#include <tenrex/result.h>

#include "tools/rank/document_store.h"

namespace tenrex::tool {

struct LoadOptions {
    std::vector<std::string> paths;  // "-" is standard input
    std::size_t threads = 1;
    bool skip_bad = false;  // documents that are wrong are counted; otherwise the first one ends the loading
    bool progress = false;  // a line on standard error that tells how far it is
};

struct DocumentProblem {
    std::string source;
    std::size_t line = 0;
    std::size_t column = 0;  // byte of the line, from 1
    std::string field;       // empty: the document as a whole
    std::string reason;

    std::string message() const;
};

struct LoadReport {
    DocumentStore store;
    std::size_t bad = 0;
    std::vector<DocumentProblem> problems;  // the first of them
    std::vector<std::size_t> missing;       // documents without a value, for each field of the layout
    std::uint64_t bytes = 0;                // of their lines
    double seconds = 0;
};

// Error: a file that cannot be read. With a bad document, unless those are skipped, the report ends there.
Result<LoadReport> load_documents(const DocumentLayout &layout, const LoadOptions &options, LabelTable &labels);

}  // namespace tenrex::tool
