// Tensors as tables for people: aligned, labelled, and abridged where they are large.
//
// One dimension gives a row per label or index; otherwise the last indexed dimension gives the columns, the one before
// it or the labels give the rows, and any further dimensions give one table per slice. Two mapped dimensions give a
// cross table, or a list of addresses where most of its places would be empty. Cells have up to six significant digits;
// literals are exact.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <tenrex/tensor.h>

#include "tools/table_grid.h"

namespace tenrex::tool {

struct TableOptions {
    std::size_t width = 80;  // columns of the screen
    std::size_t rows = 24;   // rows of one table; of more, the first and last are shown
    std::size_t slices = 8;  // tables; of more, the first and last are shown
};

// What is done with each table of a tensor.
struct TableVisitor {
    // slice: "{k:a,x:0}", empty if the tensor is one table. The grid lives as long as the call.
    std::function<void(const std::string &slice, const Grid &grid, std::size_t most_rows)> table;
    std::function<void()> gap;  // between the first and the last slices, if some are left out
};

// Visits the tables of a tensor that is no scalar; options.width has no meaning here. The number of all its slices: 1
// if it is one table, 0 if it has no cells.
std::size_t visit_tables(const Tensor &tensor, const TableOptions &options, const TableVisitor &visitor);

// The tables, without the type; each line ends with a newline. A scalar is its number.
std::string print_table(const Tensor &tensor, const TableOptions &options = {});

// How many columns of a terminal a UTF-8 text takes.
std::size_t display_width(std::string_view text);

}  // namespace tenrex::tool
