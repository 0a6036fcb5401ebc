#include "tools/rank/csv_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tools/json_object.h"
#include "tools/plain_number.h"

namespace tenrex::tool {

namespace {

// As the field takes it: a string as it stands, arrays and tensors as JSON or hex digits, a number however it is
// written.
std::string json_of(const std::string &cell, AttributeKind kind) {
    if (kind == AttributeKind::string) {
        return json_string(cell);
    }
    if (cell[0] == '[' || cell[0] == '{' || cell == "true" || cell == "false") {
        return cell;
    }
    if (kind == AttributeKind::tensor) {
        return json_string(cell);
    }
    const std::optional<double> number = plain_number(cell);
    return number && std::isfinite(*number) ? fmt::format("{}", *number) : json_string(cell);
}

}  // namespace

Result<CsvRows> CsvRows::parse(std::string_view header) {
    const auto cells = csv_cells(header);
    if (!cells) {
        return cells.error();
    }
    CsvRows rows;
    for (const CsvCell &cell : *cells) {
        if (!cell.text.empty() && std::find(rows.names_.begin(), rows.names_.end(), cell.text) != rows.names_.end()) {
            return Error(fmt::format("the column \"{}\" is there twice", cell.text),
                         "the first line names the columns");
        }
        rows.names_.push_back(cell.text);
    }
    return rows;
}

Result<std::string> CsvRows::to_json(std::string_view row, const DocumentLayout &layout) const {
    const auto cells = csv_cells(row);
    if (!cells) {
        return cells.error();
    }
    if (cells->size() != names_.size()) {
        return Error(
            fmt::format("the row has {} cells, but the first line names {} columns", cells->size(), names_.size()));
    }
    std::string json = "{";
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const std::string &text = (*cells)[i].text;
        const std::optional<std::size_t> field = layout.find(names_[i], i);
        if (text.empty() || (!field && names_[i] != "id")) {
            continue;
        }
        const std::size_t column = field ? layout.fields()[*field].columns.front() : 0;
        const Attribute *const attribute = field ? layout.attribute(column) : nullptr;
        const DocumentLayout::Form form = field ? layout.form(column) : DocumentLayout::Form::text;
        const bool is_text = form == DocumentLayout::Form::words || form == DocumentLayout::Form::text;
        const AttributeKind kind = form == DocumentLayout::Form::texts ? AttributeKind::array
                                   : is_text                           ? AttributeKind::string
                                   : attribute != nullptr              ? attribute->kind
                                                                       : AttributeKind::number;
        json += fmt::format("{}{}:{}", json.size() == 1 ? "" : ",", json_string(names_[i]), json_of(text, kind));
    }
    return json + "}";
}

std::size_t CsvRows::begin_of(std::string_view row, std::string_view column) const {
    const auto name = std::find(names_.begin(), names_.end(), column);
    const auto cells = csv_cells(row);
    return name == names_.end() || !cells ? 0 : (*cells)[static_cast<std::size_t>(name - names_.begin())].begin;
}

}  // namespace tenrex::tool
