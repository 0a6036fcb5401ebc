#include "tools/model/feature_rows.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "tools/plain_number.h"

namespace tenrex::tool {

namespace {

// Labels that are numbers are the same however they are written.
std::string label_key(std::string_view cell) {
    const std::optional<double> number = plain_number(cell);
    return number ? fmt::format("{}", *number) : std::string(cell);
}

}  // namespace

FeatureRows::FeatureRows(const Forest &forest, Unseen unseen) : features_(forest.features()), unseen_(unseen) {
    for (const std::string &name : forest.used_features()) {
        const auto feature = std::find_if(features_.begin(), features_.end(),
                                          [&](const Forest::Feature &each) { return each.name == name; });
        Column &column = columns_.emplace_back();
        column.cell = static_cast<std::size_t>(feature - features_.begin());
        column.name = name;
        column.is_categorical = feature->is_categorical;
        for (const Forest::Category &category : feature->categories) {
            column.codes.emplace(label_key(category.label), category.code);
        }
        least_cells_ = std::max(least_cells_, column.cell + 1);
    }
}

// It has the name of a feature in it. A file that names none may leave out those that no tree uses: if trees use none
// at all, a header is what has a cell that is no number.
bool FeatureRows::is_header(const std::vector<CsvCell> &cells) const {
    const bool has_names = std::any_of(features_.begin(), features_.end(),
                                       [](const Forest::Feature &feature) { return feature.has_name; });
    return std::any_of(cells.begin(), cells.end(), [&](const CsvCell &cell) {
        return std::any_of(features_.begin(), features_.end(),
                           [&](const Forest::Feature &feature) { return feature.name == cell.text; }) ||
               (columns_.empty() && !has_names && !cell.text.empty() && !plain_number(cell.text));
    });
}

Result<bool> FeatureRows::begin(std::string_view line) {
    const auto cells = csv_cells(line);
    if (!cells) {
        return cells.error();
    }
    if (!is_header(*cells)) {
        return false;
    }
    least_cells_ = 0;
    for (Column &column : columns_) {
        const auto found =
            std::find_if(cells->begin(), cells->end(), [&](const CsvCell &cell) { return cell.text == column.name; });
        if (found == cells->end()) {
            return Error(fmt::format("there is no column '{}', which the model needs", column.name),
                         "name the columns as the trainer did");
        }
        column.cell = static_cast<std::size_t>(found - cells->begin());
        least_cells_ = std::max(least_cells_, column.cell + 1);
    }
    return true;
}

Result<std::vector<double>> FeatureRows::read(std::string_view line) const {
    const auto cells = csv_cells(line);
    if (!cells) {
        return cells.error();
    }
    if (cells->size() < least_cells_) {
        return Error(fmt::format("the row has {} cells, but the model needs {}", cells->size(), least_cells_),
                     "leave a cell empty if the value is missing");
    }
    std::vector<double> values;
    values.reserve(columns_.size());
    for (const Column &column : columns_) {
        const Result<double> read = value(column, (*cells)[column.cell].text);
        if (!read) {
            return read.error();
        }
        values.push_back(*read);
    }
    return values;
}

Result<double> FeatureRows::value(const Column &column, const std::string &cell) const {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    if (cell.empty()) {
        return missing;
    }
    const std::optional<double> number = plain_number(cell);
    if (number && *number != *number) {
        return missing;
    }
    if (column.codes.empty()) {
        if (!number) {
            return Error(fmt::format("'{}' is no number; the feature '{}' needs one", cell, column.name),
                         "leave the cell empty if the value is missing");
        }
        return *number;
    }
    const auto found = column.codes.find(label_key(cell));
    if (found != column.codes.end()) {
        return found->second;
    }
    if (unseen_ == Unseen::error) {
        return Error(fmt::format("the model has not seen the category '{}' of the feature '{}'", cell, column.name),
                     "with --unseen missing it counts as missing");
    }
    return missing;
}

}  // namespace tenrex::tool
