// Expressions by row: what must be seen in their graphs and plans, for many cell types.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tenrex/schema.h>

namespace tenrex::optimizer {

struct Input {
    const char *name;
    Stage stage;
    const char *type;
};

inline constexpr Stage constant = Stage::constant, query = Stage::query, document = Stage::document;

// An expression with "?" in place of a cell type. `has` must occur in the optimized graph, `lacks` must not, and `step`
// in what explain says of the plan; several are separated by '|'.
struct Row {
    const char *name;
    std::vector<const char *> expressions;
    std::vector<Input> inputs;
    std::vector<std::pair<const char *, const char *>> cell_types;  // of inputs with ?, and of those with !
    const char *has = "";
    const char *lacks = "";
    const char *step = "";
};

// Fails if the graph, the plan or a value is not what it should be.
void expect_recognised(const Row &row);

inline std::string name_of_row(const testing::TestParamInfo<Row> &row) {
    return row.param.name;
}

using Types = std::vector<std::pair<const char *, const char *>>;

inline const Types one{{"double", "double"}};
inline const Types same{{"float", "float"}, {"double", "double"}, {"bfloat16", "bfloat16"}, {"int8", "int8"}};
inline const Types pairs{{"float", "float"},    {"double", "double"}, {"bfloat16", "bfloat16"}, {"int8", "int8"},
                         {"float", "bfloat16"}, {"float", "int8"},    {"bfloat16", "double"},   {"int8", "float"}};

}  // namespace tenrex::optimizer
