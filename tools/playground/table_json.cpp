#include "tools/playground/table_json.h"

#include <fmt/format.h>

#include "tools/json_object.h"
#include "tools/table_printer.h"

namespace tenrex::tool {

namespace {

// What a page can show without becoming slow.
constexpr std::size_t most_rows_of_tables = 100;
constexpr std::size_t most_columns_of_tables = 40;
constexpr std::size_t most_slices = 12;

// [element, element, ...]
template <class List, class Text>
std::string json_list(const List &list, Text &&text) {
    std::string joined;
    for (const auto &each : list) {
        joined += joined.empty() ? "" : ",";
        joined += text(each);
    }
    return '[' + joined + ']';
}

std::string grid_json(const std::string &slice, const Grid &grid, std::size_t most_rows) {
    const auto columns = abridge(grid.columns, most_columns_of_tables);
    const std::string labels =
        !grid.column_label ? "null" : json_list(columns, [&](const std::optional<std::size_t> &column) {
            return column ? json_string(grid.column_label(*column)) : std::string("null");
        });
    const std::string rows =
        json_list(abridge(grid.rows, most_rows), [&](const std::optional<std::size_t> &row) -> std::string {
            if (!row) {
                return "null";
            }
            const std::string cells = json_list(columns, [&](const std::optional<std::size_t> &column) {
                const auto cell = column ? grid.cell(*row, *column) : std::nullopt;
                return cell ? '"' + format_cell(*cell) + '"' : std::string("null");
            });
            return fmt::format(R"({{"labels":{},"cells":{}}})", json_list(grid.row_labels(*row), json_string), cells);
        });
    return fmt::format(R"({{"slice":{},"headings":{},"columns":{},"rows":{},"all_rows":{},"all_columns":{}}})",
                       json_string(slice), json_list(grid.headings, json_string), labels, rows, grid.rows,
                       grid.columns);
}

}  // namespace

std::string tables_json(const Tensor &tensor) {
    std::string tables;
    TableVisitor visitor;
    visitor.table = [&](const std::string &slice, const Grid &grid, std::size_t most_rows) {
        tables += (tables.empty() ? "" : ",") + grid_json(slice, grid, most_rows);
    };
    visitor.gap = [&] { tables += ",null"; };
    if (!tensor.type().is_scalar()) {
        visit_tables(tensor, {0, most_rows_of_tables, most_slices}, visitor);
    }
    return '[' + tables + ']';
}

}  // namespace tenrex::tool
