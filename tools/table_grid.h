// One table of text: row labels, column labels, numbers aligned at their decimal points, abridged to a size.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tenrex::tool {

struct Grid {
    std::vector<std::string> headings;  // above the labels of the rows; at least one
    std::size_t rows = 0;
    std::size_t columns = 1;
    std::function<std::vector<std::string>(std::size_t row)> row_labels;             // one per heading
    std::function<std::string(std::size_t column)> column_label;                     // null: no labels, one column
    std::function<std::optional<double>(std::size_t row, std::size_t column)> cell;  // nothing: no such cell
};

// Positions out of 0 .. count-1 to show when there is room for `most`: all of them, or first and last ones with a gap,
// which is an empty element.
std::vector<std::optional<std::size_t>> abridge(std::size_t count, std::size_t most);

// The table, followed by a line with the totals if something was left out.
std::string print_grid(const Grid &grid, std::size_t width, std::size_t most_rows);

// A cell of a table: integers in full, other numbers with six significant digits.
std::string format_cell(double value);

}  // namespace tenrex::tool
