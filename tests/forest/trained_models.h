// Models with rows and the trainer's own predictions, as scripts/train-forests writes them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <tenrex/forest.h>

namespace tenrex {

struct TrainedModel {
    std::string name;  // such as "lightgbm_dart"
    std::string path;
    bool is_lightgbm = false;
    std::vector<std::string> features;
    std::vector<std::vector<double>> rows;    // of the features
    std::vector<std::vector<double>> raw;     // for each row, of each output
    std::vector<std::vector<double>> values;  // for each row
    std::vector<std::vector<double>> labels;  // for each row one, or none
    std::vector<std::vector<double>> scores;  // of a classifier, if the values are not all of them
    ForestOptions options;
};

inline std::vector<std::string> split_at_commas(const std::string &line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',') {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

// The numbers of a row that a column holds.
inline std::vector<std::vector<double>> &column_of(TrainedModel &model, std::string_view head) {
    return head.starts_with("raw.")     ? model.raw
           : head.starts_with("value.") ? model.values
           : head.starts_with("score.") ? model.scores
           : head == "label"            ? model.labels
                                        : model.rows;
}

inline double number_of(const std::string &cell) {
    return cell.empty() ? std::numeric_limits<double>::quiet_NaN() : std::strtod(cell.c_str(), nullptr);
}

inline TrainedModel read_trained_model(const std::filesystem::path &path) {
    TrainedModel model;
    model.path = path.string();
    model.name = path.stem().string();
    model.is_lightgbm = model.name.starts_with("lightgbm");
    std::filesystem::path table = path;
    table.replace_extension(".csv");
    if (!std::filesystem::exists(table)) {  // that of the same model in its main form
        table.replace_filename(model.name.substr(0, model.name.rfind('_')) + ".csv");
    }
    std::filesystem::path base_score = path;
    if (std::ifstream file(base_score.replace_extension(".base_score")); file) {
        file >> model.options.base_score;
    }
    std::ifstream file(table);
    std::string line;
    std::getline(file, line);
    std::vector<std::string> heads = split_at_commas(line);
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = split_at_commas(line);
        for (auto *list : {&model.rows, &model.raw, &model.values, &model.labels, &model.scores}) {
            list->emplace_back();
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            column_of(model, heads[i]).back().push_back(number_of(cells[i]));
        }
    }
    for (const std::string &head : heads) {
        if (&column_of(model, head) == &model.rows) {
            model.features.push_back(head);
        }
    }
    return model;
}

// Those of the tests, or of the folder TENREX_FORESTS.
inline std::vector<TrainedModel> trained_models() {
    const char *const folder = std::getenv("TENREX_FORESTS");
    std::vector<std::filesystem::path> paths;
    for (const auto &entry : std::filesystem::directory_iterator(folder != nullptr ? folder : "tests/forest/trained")) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".txt" || extension == ".json" || extension == ".ubj") {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<TrainedModel> models;
    for (const std::filesystem::path &path : paths) {
        models.push_back(read_trained_model(path));
    }
    return models;
}

// The values of the forest's features in a row.
inline std::vector<double> used_values(const Forest &forest, const TrainedModel &model, std::size_t row) {
    std::vector<double> values;
    for (const std::string &name : forest.used_features()) {
        const auto found = std::find(model.features.begin(), model.features.end(), name);
        values.push_back(found == model.features.end() ? std::numeric_limits<double>::quiet_NaN()
                                                       : model.rows[row][found - model.features.begin()]);
    }
    return values;
}

// How many numbers of the type are between two; a lot if they are of another kind.
template <class T>
std::uint64_t units_between(double a, double b) {
    const T x = static_cast<T>(a);
    const T y = static_cast<T>(b);
    if (x == y || (std::isnan(x) && std::isnan(y))) {
        return 0;
    }
    if (!std::isfinite(x) || !std::isfinite(y)) {
        return UINT64_MAX;
    }
    const T unit = std::nextafter(std::max(std::fabs(x), std::fabs(y)), std::numeric_limits<T>::infinity()) -
                   std::max(std::fabs(x), std::fabs(y));
    const double units = static_cast<double>(std::fabs(x - y)) / static_cast<double>(unit);
    return units < 1e18 ? static_cast<std::uint64_t>(std::ceil(units)) : UINT64_MAX;
}

}  // namespace tenrex
