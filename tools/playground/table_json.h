// The tables of a value for a page: JSON instead of aligned text.
#pragma once

#include <string>

#include <tenrex/tensor.h>

namespace tenrex::tool {

// A list of tables:
// {"slice":"{k:a}","headings":["x\\y"],"columns":["0",null,"9"],"rows":[{"labels":["0"],"cells":["1.5",...]}]}. null
// stands for what is left out, also among the tables and rows; "columns" is null if the cells have no labels.
std::string tables_json(const Tensor &tensor);

}  // namespace tenrex::tool
