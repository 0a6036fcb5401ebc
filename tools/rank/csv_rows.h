// Documents as rows of a table: each becomes the line of JSON that says the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenrex/result.h>

#include "tools/csv_cells.h"
#include "tools/rank/document_layout.h"

namespace tenrex::tool {

class CsvRows {
public:
    // header: the line with the names of the columns, which are fields, or "id". Errors: a name is there twice.
    static Result<CsvRows> parse(std::string_view header);

    // The row as an object, of the fields that are needed. An empty cell is no value. Error: the row has more or fewer
    // cells than the header, or a quoted one does not end.
    Result<std::string> to_json(std::string_view row, const DocumentLayout &layout) const;
    // Where in a row that to_json() took the cell of a column begins, in bytes; 0 if there is no such column.
    std::size_t begin_of(std::string_view row, std::string_view column) const;

private:
    std::vector<std::string> names_;
};

}  // namespace tenrex::tool
