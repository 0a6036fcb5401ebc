// Rows of the features of a model, as lines of cells between commas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenrex/forest.h>
#include <tenrex/result.h>

#include "tools/csv_cells.h"

namespace tenrex::tool {

// What becomes of a category that the model's label map does not have.
enum class Unseen : std::uint8_t { missing, error };

// Turns lines into values of the features that the forest uses.
class FeatureRows {
public:
    FeatureRows(const Forest &forest, Unseen unseen);

    // Takes the first line. A line that has the name of a feature in it names the columns: true. Else it is a row, and
    // columns are the features by their numbers, from 0. Errors: the line lacks a feature that the forest uses.
    Result<bool> begin(std::string_view line);
    // The values of one row, in the order of Forest::used_features(). An empty cell and "nan" are missing.
    Result<std::vector<double>> read(std::string_view line) const;

private:
    struct Column {
        std::size_t cell = 0;
        std::string name;
        bool is_categorical = false;
        std::unordered_map<std::string, double> codes;  // of the label map; empty: cells are codes
    };
    bool is_header(const std::vector<CsvCell> &cells) const;
    Result<double> value(const Column &column, const std::string &cell) const;

    std::vector<Forest::Feature> features_;
    std::vector<Column> columns_;  // one for each feature that is used
    std::size_t least_cells_ = 0;
    Unseen unseen_;
};

}  // namespace tenrex::tool
