// Tensors as tables for people: aligned, labelled, and abridged where they are large.
//
// One dimension gives a row per label or index; otherwise the last indexed dimension gives the columns, the one before
// it or the labels give the rows, and any further dimensions give one table per slice. Two mapped dimensions give a
// cross table, or a list of addresses where most of its places would be empty. Cells have up to six significant digits;
// literals are exact.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenrex/tensor.h>

namespace tenrex::tool {

struct TableOptions {
    std::size_t width = 80;  // columns of the screen
    std::size_t rows = 24;   // rows of one table; of more, the first and last are shown
    std::size_t slices = 8;  // tables; of more, the first and last are shown
};

// The tables, without the type; each line ends with a newline. A scalar is its number.
std::string print_table(const Tensor &tensor, const TableOptions &options = {});

// How many columns of a terminal a UTF-8 text takes.
std::size_t display_width(std::string_view text);

}  // namespace tenrex::tool
