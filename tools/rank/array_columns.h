// Arrays of numpy as fields of documents: row by row the values of the documents, in the order in which they were read.
#pragma once

#include <span>
#include <string>

#include <tenrex/result.h>

#include "tools/rank/document_loader.h"

namespace tenrex::tool {

// FIELD=FILE.npy
struct ArrayColumn {
    std::string field;
    std::string path;

    static Result<ArrayColumn> parse(const std::string &argument);
};

// Puts the arrays in the place of what the documents have of these fields. Without documents, as the report then has
// none, the rows are the documents, known by their numbers from 1 on. Errors: a file that cannot be read; a field that
// is not needed, or whose values are none of an array; more rows than documents, or fewer.
Status take_arrays(std::span<const ArrayColumn> arrays, const DocumentLayout &layout, bool rows_are_documents,
                   LabelTable &labels, LoadReport &report);

}  // namespace tenrex::tool
